package io.kipimo.console.model;

import io.kipimo.core.guard.DecisionReason;
import io.kipimo.core.quality.window.DecisionTrail;
import io.kipimo.schemas.decision.Decision;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.TreeMap;

/** Decisions of one scope: the newest one, the last changes, and values over time. */
final class DecisionLog {
    static final int CHANGES = 20;

    /** Limit of the values that are kept: as many as a history has points, since more could not be drawn. */
    private static final int VALUES = QualityHistory.CAPACITY;

    private final Deque<Decision> changes = new ArrayDeque<>();
    private final NavigableMap<Long, Double> values = new TreeMap<>();
    private DecisionTrail trail = DecisionTrail.NONE;
    private Decision lastMove;

    /** Adds a decision; skips it if it is older than the newest one. */
    void add(Decision decision) {
        if (!trail.isBefore(decision)) {
            return;
        }
        Decision newest = trail.newest().orElse(null);
        if (newest == null || isChange(newest, decision)) {
            changes.addFirst(decision);
            if (changes.size() > CHANGES) {
                changes.removeLast();
            }
        }
        if (newest == null || newest.value() != decision.value() || newest.mode() != decision.mode()) {
            values.put(decision.issuedAtMillis(), decision.mode().isEffective() ? decision.value() : Double.NaN);
            if (values.size() > VALUES) {
                values.pollFirstEntry();
            }
        }
        if (decision.value() != (newest == null ? decision.previous() : newest.value())) {
            lastMove = decision;
        }
        trail = trail.with(decision);
    }

    /** Returns whether value, mode or reason changed. A decision that merely renews the previous one is no change. */
    private static boolean isChange(Decision before, Decision after) {
        boolean renewed = after.reason().equals(DecisionReason.RENEWED.name())
                || after.reason().equals(DecisionReason.UNCHANGED.name());
        return before.value() != after.value()
                || before.mode() != after.mode()
                || (!renewed && !before.reason().equals(after.reason()));
    }

    Optional<Decision> newest() {
        return trail.newest();
    }

    /** The newest decision that changed the value; empty if none did. */
    Optional<Decision> lastMove() {
        return Optional.ofNullable(lastMove);
    }

    /** Changes, newest first. */
    Collection<Decision> changes() {
        return changes;
    }

    DecisionTrail trail() {
        return trail;
    }

    /** The value that applied at the given time; empty if it is unknown or if no decision applied. */
    OptionalDouble valueAt(long millis) {
        Map.Entry<Long, Double> entry = values.floorEntry(millis);
        return entry == null || Double.isNaN(entry.getValue())
                ? OptionalDouble.empty()
                : OptionalDouble.of(entry.getValue());
    }
}
