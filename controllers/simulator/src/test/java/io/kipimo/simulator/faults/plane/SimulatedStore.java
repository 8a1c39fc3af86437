package io.kipimo.simulator.faults.plane;

import io.kipimo.schemas.decision.Decision;
import java.util.Optional;

/**
 * The store that actuators poll. Like the product's Redis script it accepts a decision only if it is newer than the
 * stored one, and drops expired ones. It may be restored from an older state; then it holds and accepts decisions that
 * are older than what actuators have applied.
 */
final class SimulatedStore {
    private static final long KEEP_MILLIS = 600_000;

    private Optional<Decision> held = Optional.empty();
    private Optional<Decision> saved = Optional.empty();
    private long keptUntilMillis;

    /** Offers a decision to the store. */
    void put(Decision decision, long nowMillis) {
        if (get(nowMillis).filter(h -> !isNewer(decision, h)).isEmpty()) {
            held = Optional.of(decision);
            keptUntilMillis = nowMillis + KEEP_MILLIS;
        }
    }

    Optional<Decision> get(long nowMillis) {
        return nowMillis < keptUntilMillis ? held : Optional.empty();
    }

    /** Saves the state for a restore. */
    void save() {
        saved = held;
    }

    /** Restarts with the state that was saved last. */
    void restore(long nowMillis) {
        held = saved;
        keptUntilMillis = nowMillis + KEEP_MILLIS;
    }

    private static boolean isNewer(Decision one, Decision other) {
        return one.epoch() > other.epoch() || (one.epoch() == other.epoch() && one.sequence() > other.sequence());
    }
}
