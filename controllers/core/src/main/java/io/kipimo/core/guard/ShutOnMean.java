package io.kipimo.core.guard;

/** The value falls only if the mean is below the objective. */
public record ShutOnMean<S>(Governor<S> inner) implements Governor<S> {
    @Override
    public Outcome<S> decide(S state, Situation now) {
        Outcome<S> wanted = inner.decide(state, now);
        return wanted.value() < now.inForce() && !(now.measured() < now.objective())
                ? Outcome.hold(
                        now.heldState(state, wanted.state()),
                        now.inForce(),
                        now.error() > 0 ? Reason.HELD_ABOVE_OBJECTIVE : now.whyLowEndFalls())
                : wanted;
    }
}
