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

    /** Time after which a person should act on a fault that holds a controller. */
    static final long HELD_MILLIS = 300_000;

    /** Tolerated difference between the clocks of controllers and readers. */
    private static final long SKEW_MILLIS = 5_000;

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

    /** Whether the lease of the newest decision has ended. */
    public boolean hasEnded(long nowMillis) {
        return newest.filter(d -> nowMillis > d.validUntilMillis() + SKEW_MILLIS)
                .isPresent();
    }

    /** Whether a fault has held the controller for {@value #HELD_MILLIS} ms. */
    public boolean isHeldLong(long nowMillis) {
        return heldSinceMillis > 0 && nowMillis - heldSinceMillis >= HELD_MILLIS;
    }

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
