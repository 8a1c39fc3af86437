package io.kipimo.core.whatif;

import io.kipimo.core.admission.AdmissionLoop;
import io.kipimo.core.guard.DecisionReason;
import io.kipimo.core.guard.MoverTurn;
import io.kipimo.core.guard.MoverTurn.Mover;
import io.kipimo.schemas.decision.Decision;
import io.kipimo.schemas.replication.ReplicationDecision;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Reconstructs the actuation lock of the admission controller from recorded decisions on replication. */
public final class RecordedLock {
    /** Longest time that a decision may take from one job to the other. */
    private static final long DELIVERY_MILLIS = 5_000;

    private static final Comparator<ReplicationDecision> ORDER =
            Comparator.comparingLong(ReplicationDecision::epoch).thenComparingLong(ReplicationDecision::sequence);

    private final TreeMap<Long, MoverTurn> sinceMillis = new TreeMap<>();

    /** @param decisions decisions on the replication of one service, in any order; repetitions count once */
    public RecordedLock(List<ReplicationDecision> decisions) {
        MoverTurn lock = MoverTurn.FREE;
        for (ReplicationDecision decision : decisions.stream().sorted(ORDER).toList()) {
            lock = AdmissionLoop.lockAfter(lock, decision);
            sinceMillis.put(decision.issuedAtMillis(), lock);
        }
    }

    /** The lock after all decisions that were issued up to that time. */
    MoverTurn at(long millis) {
        Map.Entry<Long, MoverTurn> newest = sinceMillis.floorEntry(millis);
        return newest == null ? MoverTurn.FREE : newest.getValue();
    }

    /**
     * The lock at a run of the admission controller. Whether decisions that were issued just before had arrived is
     * known only from the reasons of the run. So this is the newest lock that does not contradict the reasons.
     *
     * @param run decisions of one run
     */
    MoverTurn at(List<Decision> run) {
        long now = run.get(0).issuedAtMillis();
        List<MoverTurn> possible = new ArrayList<>();
        possible.add(at(now - DELIVERY_MILLIS));
        possible.addAll(
                sinceMillis.subMap(now - DELIVERY_MILLIS, false, now, true).values());
        for (int i = possible.size() - 1; i >= 0; i--) {
            boolean isFree = possible.get(i).isFreeFor(Mover.ADMISSION, now);
            if (run.stream().noneMatch(d -> contradicts(d, isFree))) {
                return possible.get(i);
            }
        }
        return at(now);
    }

    /**
     * Whether a decision could not have been made with this state of the lock. A decision waits for the lock only if
     * another controller holds it, and passes the check of the lock only if the lock is free.
     */
    private static boolean contradicts(Decision decision, boolean isFree) {
        return DecisionReason.named(decision.reason())
                .filter(r -> isFree
                        ? r == DecisionReason.HELD_AWAITING_TURN
                        : r == DecisionReason.OPENED
                                || r == DecisionReason.HELD_EXPIRED
                                || (r == DecisionReason.SHEDDING_DOES_NOT_HELP
                                        && decision.value() > decision.previous()))
                .isPresent();
    }

    /** Whether no decision on replication is missing among these, from the very first one on. */
    public static boolean isWhole(List<ReplicationDecision> decisions) {
        long epoch = -1;
        long sequence = 0;
        for (ReplicationDecision decision :
                new LinkedHashSet<>(decisions).stream().sorted(ORDER).toList()) {
            sequence = decision.epoch() == epoch ? sequence + 1 : 1;
            epoch = decision.epoch();
            if (decision.sequence() != sequence) {
                return false;
            }
        }
        return !decisions.isEmpty();
    }
}
