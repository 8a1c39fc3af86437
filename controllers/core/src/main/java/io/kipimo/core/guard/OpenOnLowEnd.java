package io.kipimo.core.guard;

/**
 * The value rises only if the interval's low end is at or above the objective. Held between the
 * mean and the low end, the controller's state stays as it was: what its proportional part was
 * denied it gets once the interval allows it, and noise about the objective does not ratchet the
 * value down.
 */
public record OpenOnLowEnd<S>(Governor<S> inner) implements Governor<S> {
    @Override
    public Outcome<S> decide(S state, Situation now) {
        Outcome<S> wanted = inner.decide(state, now);
        return wanted.value() > now.inForce() && !(now.low() >= now.objective())
                ? Outcome.hold(
                        now.heldState(state, wanted.state()),
                        now.inForce(),
                        now.error() < 0 ? Reason.HELD_RECOVERING : now.whyLowEndFalls())
                : wanted;
    }
}
