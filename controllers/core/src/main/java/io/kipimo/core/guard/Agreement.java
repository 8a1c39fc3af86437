package io.kipimo.core.guard;

/**
 * Holds while the newest step and the average lie on different sides of the objective: the average
 * still tells of what has been acted on, or the step is noise.
 */
public record Agreement<S>(Governor<S> inner) implements Governor<S> {
    @Override
    public Outcome<S> decide(S state, Situation now) {
        return (now.newest() < now.objective()) != (now.measured() < now.objective())
                ? Outcome.hold(state, now.inForce(), Reason.HELD_DISAGREEING)
                : inner.decide(state, now);
    }
}
