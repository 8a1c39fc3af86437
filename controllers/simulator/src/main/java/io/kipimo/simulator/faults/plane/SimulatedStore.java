package io.kipimo.simulator.faults.plane;

import io.kipimo.schemas.decision.Decision;
import java.util.Optional;

/**
 * The store that actuators look into: it takes a decision only if it is newer than the one it
 * holds, as the product's script in Redis does, and forgets it when it is no longer kept. It may be
 * restored from an older state, and then holds, and takes, what actuators have long gone beyond.
 */
final class SimulatedStore {
    private static final long KEEP_MILLIS = 600_000;

    private Optional<Decision> held = Optional.empty();
    private Optional<Decision> saved = Optional.empty();
    private long keptUntilMillis;

    /** A decision comes. */
    void put(Decision decision, long nowMillis) {
        if (get(nowMillis).filter(h -> !isNewer(decision, h)).isEmpty()) {
            held = Optional.of(decision);
            keptUntilMillis = nowMillis + KEEP_MILLIS;
        }
    }

    Optional<Decision> get(long nowMillis) {
        return nowMillis < keptUntilMillis ? held : Optional.empty();
    }

    /** What a restart would find. */
    void save() {
        saved = held;
    }

    /** It starts again with what was saved last. */
    void restore(long nowMillis) {
        held = saved;
        keptUntilMillis = nowMillis + KEEP_MILLIS;
    }

    private static boolean isNewer(Decision one, Decision other) {
        return one.epoch() > other.epoch()
                || (one.epoch() == other.epoch() && one.sequence() > other.sequence());
    }
}
