package io.kipimo.core.guard;

/**
 * Holds while the newest step began before the last move: it cannot show what the move did. So the
 * loop's step is as long as its dead time, whatever that is, and no gain must be tuned to it. A
 * step that is worse by more than {@code margin} than the one that was acted on does not wait.
 */
public record AwaitEffect<S>(double margin, Governor<S> inner) implements Governor<S> {
    @Override
    public Outcome<S> decide(S state, Situation now) {
        boolean tooEarly = now.stepStartMillis() < now.lastMove().atMillis();
        boolean worse = now.newest() < Math.min(now.objective(), now.lastMove().newest()) - margin;
        return tooEarly && !worse
                ? Outcome.hold(state, now.inForce(), Reason.HELD_AWAITING_EFFECT)
                : inner.decide(state, now);
    }
}
