package io.kipimo.core.quality.window;

import io.kipimo.core.guard.DecisionReason;
import io.kipimo.schemas.decision.Decision;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;

/**
 * The newest decision of one scope, and the time since which a fault outside of the controller holds it.
 *
 * @param heldSinceMillis epoch milliseconds; 0: it is not held
 */
public record DecisionTrail(Optional<Decision> newest, long heldSinceMillis) {
    public static final DecisionTrail NONE = new DecisionTrail(Optional.empty(), 0);

    private static final Set<DecisionReason> FAULTS = EnumSet.of(
            DecisionReason.HELD_STALE,
            DecisionReason.HELD_NO_INPUT,
            DecisionReason.HELD_CATCHING_UP,
            DecisionReason.HELD_EXPIRED,
            DecisionReason.HELD_NOT_KNOWN,
            DecisionReason.HELD_IMPOSSIBLE_INPUT,
            DecisionReason.HELD_IMPOSSIBLE_VALUE,
            DecisionReason.HELD_IMPOSSIBLE_POLICY,
            DecisionReason.SAFE_FALLBACK);

    /** Whether a decision is newer than the newest one. */
    public boolean isBefore(Decision decision) {
        return newest.filter(d -> !decision.isNewerThan(d.epoch(), d.sequence()))
                .isEmpty();
    }

    /** Adds a decision; skips it if it is not newer than the newest one. */
    public DecisionTrail with(Decision decision) {
        if (!isBefore(decision)) {
            return this;
        }
        boolean isHeld =
                DecisionReason.named(decision.reason()).filter(FAULTS::contains).isPresent();
        return new DecisionTrail(
                Optional.of(decision),
                !isHeld ? 0 : heldSinceMillis == 0 ? decision.issuedAtMillis() : heldSinceMillis);
    }
}
