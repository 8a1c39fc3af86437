package io.kipimo.core.guard;

/**
 * While another mover has the turn, nothing opens: its trial would be taken for this loop's effect
 * and the other way round. Shutting does not wait; the other one gives way.
 */
public record OneMover<S>(boolean isFree, Governor<S> inner) implements Governor<S> {
    @Override
    public Outcome<S> decide(S state, Situation now) {
        Outcome<S> outcome = inner.decide(state, now);
        return isFree || outcome.value() <= now.inForce()
                ? outcome
                : Outcome.hold(state, now.inForce(), Reason.HELD_AWAITING_TURN);
    }
}
