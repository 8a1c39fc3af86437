package io.kipimo.console.model;

import io.kipimo.core.replication.ReplicationReason;
import io.kipimo.schemas.decision.DecisionMode;
import io.kipimo.schemas.replication.ReplicationDecision;
import io.kipimo.schemas.replication.TierFactor;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Decisions on the replication factors of one service: the newest decision and the last events. */
final class ReplicationFigures {
    static final int EVENTS = 20;

    /** Reasons for which a decision is an event although it changes no factor. */
    private static final Set<ReplicationReason> TELLING = EnumSet.of(
            ReplicationReason.SEARCH_ENDED,
            ReplicationReason.COPIES_DO_NOT_HELP,
            ReplicationReason.RESTARTED_LOAD,
            ReplicationReason.RESTARTED_VARIABILITY);

    /** Reasons of decisions that make replication wait because admission holds the actuation lock. */
    private static final Set<ReplicationReason> ADMISSIONS_TURN =
            EnumSet.of(ReplicationReason.HELD_AWAITING_TURN, ReplicationReason.ROLLED_BACK_TURN);

    private final Deque<ReplicationDecision> events = new ArrayDeque<>();
    private ReplicationDecision newest;

    /** Adds a decision; skips it if it is older than the newest one. */
    void add(ReplicationDecision decision) {
        if (newest != null && !decision.isNewerThan(newest.epoch(), newest.sequence())) {
            return;
        }
        newest = decision;
        if (isEvent(decision)) {
            events.addFirst(decision);
            if (events.size() > EVENTS) {
                events.removeLast();
            }
        }
    }

    /**
     * Returns whether a decision is an event. A decision in shadow mode or by an override is no event if it repeats the
     * last event's reason and factors.
     */
    private boolean isEvent(ReplicationDecision decision) {
        boolean telling = reason(decision).filter(TELLING::contains).isPresent();
        if (decision.mode() == DecisionMode.HOLD && !telling) {
            return false;
        }
        ReplicationDecision last = events.peekFirst();
        return decision.mode() == DecisionMode.ACTIVE
                || last == null
                || !last.reason().equals(decision.reason())
                || !factors(last).equals(factors(decision));
    }

    private static Optional<ReplicationReason> reason(ReplicationDecision decision) {
        return ReplicationReason.named(decision.reason());
    }

    static List<Integer> factors(ReplicationDecision decision) {
        return decision.tiers().stream().map(TierFactor::factor).toList();
    }

    Optional<ReplicationDecision> newest() {
        return Optional.ofNullable(newest);
    }

    /** The last events, newest first. */
    Collection<ReplicationDecision> events() {
        return events;
    }

    /** Returns whether replication waits because admission holds the actuation lock. */
    boolean isAdmissionsTurn() {
        return newest().flatMap(ReplicationFigures::reason)
                .filter(ADMISSIONS_TURN::contains)
                .isPresent();
    }
}
