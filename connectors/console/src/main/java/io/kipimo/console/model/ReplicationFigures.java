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

/** Decisions on one service's replication factors: the newest one and the last events. */
final class ReplicationFigures {
    static final int EVENTS = 20;

    /** Reasons that are events although no factor changes. */
    private static final Set<ReplicationReason> TELLING = EnumSet.of(
            ReplicationReason.SEARCH_ENDED,
            ReplicationReason.COPIES_DO_NOT_HELP,
            ReplicationReason.RESTARTED_LOAD,
            ReplicationReason.RESTARTED_VARIABILITY);

    /** Reasons of holds during which replication waits because admission holds the actuation lock. */
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

    /** Whether a decision is an event; decisions in shadow mode and by overrides repeat. */
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

    /** Newest first. */
    Collection<ReplicationDecision> events() {
        return events;
    }

    /** Whether admission holds the actuation lock, so that replication waits. */
    boolean isAdmissionsTurn() {
        return newest().flatMap(ReplicationFigures::reason)
                .filter(ADMISSIONS_TURN::contains)
                .isPresent();
    }
}
