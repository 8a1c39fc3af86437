package io.kipimo.core.quality.window;

import io.kipimo.schemas.budget.BudgetVerdict;
import io.kipimo.schemas.quality.QualityWindow;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The verdict on a class at a time, and its causes. A class is WRONG if at least one of these holds: the high end of
 * the quality interval is below the objective; more than {@value #EXPIRED_SHARE} of all measured queries EXPIRED; the
 * lease of the newest decision has ended, or a fault has held the controller for {@value DecisionTrail#HELD_MILLIS} ms;
 * the error budget burns fast in both of its windows. A class is FINE only if the low end is at least the objective,
 * and never if fewer than half of its answers are measurable. Evidence older than {@link ClassEvidence#patienceMillis}
 * does not count. If the reader has not reached the ends of the topics for half a minute, the class is UNKNOWN: there
 * may be newer evidence, or a newer decision whose lease has not ended.
 *
 * @param causes at least one; all have the same verdict
 * @param window the window that was judged; empty: none is recent enough
 */
public record Judgement(List<Cause> causes, Optional<QualityWindow> window) {
    /** Greatest normal share of EXPIRED queries. If it is greater, a component does not send its results. */
    public static final double EXPIRED_SHARE = 0.05;

    private static final int EXPIRED_AT_LEAST = 3;

    public Verdict verdict() {
        return causes.get(0).verdict();
    }

    public static Judgement of(ClassEvidence evidence, long nowMillis) {
        Optional<QualityWindow> window = evidence.recentWindow(nowMillis);
        if (!evidence.isRead(nowMillis)) {
            return because(Cause.NOT_READ, window);
        }
        boolean isInUse = evidence.isInUse(nowMillis);
        boolean hasQueries = window.filter(w -> w.offered() + w.answered() > 0).isPresent();
        if (!isInUse && !hasQueries) {
            return because(Cause.NO_QUERIES, window);
        }
        List<Cause> wrong = wrong(evidence, window, isInUse, nowMillis);
        if (!wrong.isEmpty()) {
            return new Judgement(wrong, window);
        }
        return because(byWindow(evidence, window), window);
    }

    private static Judgement because(Cause cause, Optional<QualityWindow> window) {
        return new Judgement(List.of(cause), window);
    }

    private static Cause byWindow(ClassEvidence evidence, Optional<QualityWindow> window) {
        if (window.isEmpty()) {
            return Cause.NO_WINDOW;
        }
        if (!Verdict.isEnough(window.get().measurableShare())) {
            return Cause.NOT_MEASURABLE;
        }
        return switch (Verdict.of(window.get().estimate(), evidence.objective())) {
            case FINE -> Cause.KEEPS_OBJECTIVE;
            case WRONG -> Cause.BELOW_OBJECTIVE;
            case UNCERTAIN -> Cause.STRADDLES_OBJECTIVE;
            case UNKNOWN, IDLE -> Cause.NO_ESTIMATE;
        };
    }

    private static List<Cause> wrong(
            ClassEvidence evidence, Optional<QualityWindow> window, boolean isInUse, long nowMillis) {
        List<Cause> causes = new ArrayList<>();
        if (byWindow(evidence, window) == Cause.BELOW_OBJECTIVE) {
            causes.add(Cause.BELOW_OBJECTIVE);
        }
        if (window.filter(w -> isManyExpired(w.expired(), w.samples())).isPresent()) {
            causes.add(Cause.MANY_EXPIRED);
        }
        if (isInUse && evidence.isControlled()) {
            DecisionTrail control = evidence.control();
            if (control.hasEnded(nowMillis)) {
                causes.add(Cause.LEASE_ENDED);
            } else if (control.isHeldLong(nowMillis)) {
                causes.add(Cause.CONTROLLER_HELD);
            }
        }
        if (evidence.recentBudget(nowMillis)
                .filter(b -> b.verdict() == BudgetVerdict.FAST_BURN)
                .isPresent()) {
            causes.add(Cause.BURNS_FAST);
        }
        return causes;
    }

    /** Whether more of the measured queries EXPIRED than single lost results explain. */
    public static boolean isManyExpired(int expired, int samples) {
        return expired >= EXPIRED_AT_LEAST && expired > EXPIRED_SHARE * samples;
    }
}
