package io.kipimo.core.guard;

/** The value falls only if the mean is below the objective; the controller's state stays. */
public record ShutOnMean<S>(Governor<S> inner) implements Governor<S> {
    @Override
    public Outcome<S> decide(S state, Situation now) {
        Outcome<S> wanted = inner.decide(state, now);
        return wanted.value() < now.inForce() && !(now.measured() < now.objective())
                ? Outcome.hold(state, now.inForce(), Reason.HELD_ABOVE_OBJECTIVE)
                : wanted;
    }
}
