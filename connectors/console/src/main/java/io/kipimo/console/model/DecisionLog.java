package io.kipimo.console.model;

import io.kipimo.core.guard.Reason;
import io.kipimo.schemas.decision.Decision;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.EnumSet;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.TreeMap;

/** Decisions of one scope: the newest one, the last changes, and values over time. */
final class DecisionLog {
    static final int CHANGES = 20;

    /** As many as a history has points, since more changes could not be drawn. */
    private static final int VALUES = QualityHistory.CAPACITY;

    /** Reasons for holds that are caused by a fault outside of the controller. */
    private static final Set<Reason> STUCK =
            EnumSet.of(
                    Reason.HELD_STALE,
                    Reason.HELD_NO_INPUT,
                    Reason.HELD_CATCHING_UP,
                    Reason.HELD_EXPIRED,
                    Reason.HELD_IMPOSSIBLE_INPUT,
                    Reason.HELD_IMPOSSIBLE_VALUE,
                    Reason.HELD_IMPOSSIBLE_POLICY,
                    Reason.SAFE_FALLBACK);

    private final Deque<Decision> changes = new ArrayDeque<>();
    private final NavigableMap<Long, Double> values = new TreeMap<>();
    private Decision newest;
    private Decision lastMove;
    private long stuckSinceMillis;

    /** Adds a decision; skips it if it is older than the newest one. */
    void add(Decision decision) {
        if (newest != null && !decision.isNewerThan(newest.epoch(), newest.sequence())) {
            return;
        }
        if (newest == null || isChange(newest, decision)) {
            changes.addFirst(decision);
            if (changes.size() > CHANGES) {
                changes.removeLast();
            }
        }
        if (newest == null
                || newest.value() != decision.value()
                || newest.mode() != decision.mode()) {
            values.put(
                    decision.issuedAtMillis(),
                    decision.mode().isEffective() ? decision.value() : Double.NaN);
            if (values.size() > VALUES) {
                values.pollFirstEntry();
            }
        }
        if (decision.value() != (newest == null ? decision.previous() : newest.value())) {
            lastMove = decision;
        }
        if (!isStuck(decision)) {
            stuckSinceMillis = 0;
        } else if (stuckSinceMillis == 0) {
            stuckSinceMillis = decision.issuedAtMillis();
        }
        newest = decision;
    }

    /** Whether value, mode or reason changed; renewals are no changes. */
    private static boolean isChange(Decision before, Decision after) {
        boolean renewed =
                after.reason().equals(Reason.RENEWED.name())
                        || after.reason().equals(Reason.UNCHANGED.name());
        return before.value() != after.value()
                || before.mode() != after.mode()
                || (!renewed && !before.reason().equals(after.reason()));
    }

    private static boolean isStuck(Decision decision) {
        return Reason.named(decision.reason()).filter(STUCK::contains).isPresent();
    }

    Optional<Decision> newest() {
        return Optional.ofNullable(newest);
    }

    /** The last decision that changed the value. */
    Optional<Decision> lastMove() {
        return Optional.ofNullable(lastMove);
    }

    /** Changes, newest first. */
    Collection<Decision> changes() {
        return changes;
    }

    /** Start of a hold that is caused by a fault; 0: none. */
    long stuckSinceMillis() {
        return stuckSinceMillis;
    }

    /** The value that applied at a time; empty if unknown or none. */
    OptionalDouble valueAt(long millis) {
        Map.Entry<Long, Double> entry = values.floorEntry(millis);
        return entry == null || Double.isNaN(entry.getValue())
                ? OptionalDouble.empty()
                : OptionalDouble.of(entry.getValue());
    }
}
