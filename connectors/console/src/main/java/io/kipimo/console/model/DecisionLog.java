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

/** Decisions of one scope: the newest, the last that changed something, values over time. */
final class DecisionLog {
    static final int CHANGES = 20;

    /** As many as a history has points: more moves than points cannot be seen. */
    private static final int VALUES = QualityHistory.CAPACITY;

    /** The controller decides nothing new because something around it is broken. */
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

    /** Older ones than the newest are passed over. */
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

    /** Renewals say nothing new, whatever was said before them. */
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

    /** The last one whose value was not the one before's. */
    Optional<Decision> lastMove() {
        return Optional.ofNullable(lastMove);
    }

    /** Newest first. */
    Collection<Decision> changes() {
        return changes;
    }

    /** Since when the controller is held by something broken; 0: it is not. */
    long stuckSinceMillis() {
        return stuckSinceMillis;
    }

    /** What was to be applied at that time; empty if that is not known, or nothing was. */
    OptionalDouble valueAt(long millis) {
        Map.Entry<Long, Double> entry = values.floorEntry(millis);
        return entry == null || Double.isNaN(entry.getValue())
                ? OptionalDouble.empty()
                : OptionalDouble.of(entry.getValue());
    }
}
