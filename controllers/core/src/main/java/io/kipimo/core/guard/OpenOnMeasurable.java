package io.kipimo.core.guard;

/**
 * The value rises only if the newest step would be at or above the objective if every answer whose
 * quality nobody can tell had quality 0. {@link Situation#low} counts them so for the average.
 *
 * <p>No weaker rule keeps a controller from opening because bad answers became unmeasurable ones:
 * of 100 answers, five of quality 0 and five of unknown quality look the same to it.
 */
public record OpenOnMeasurable<S>(Governor<S> inner) implements Governor<S> {
    @Override
    public Outcome<S> decide(S state, Situation now) {
        Outcome<S> wanted = inner.decide(state, now);
        return wanted.value() > now.inForce()
                        && now.measurableShare() < 1
                        && !(now.newest() * now.measurableShare() >= now.objective())
                ? Outcome.hold(
                        now.heldState(state, wanted.state()),
                        now.inForce(),
                        Reason.HELD_PARTLY_MEASURABLE)
                : wanted;
    }
}
