package io.kipimo.core.whatif;

import io.kipimo.core.guard.Leased;
import io.kipimo.core.quality.window.GateEvidence;
import io.kipimo.schemas.decision.Decision;
import io.kipimo.schemas.policy.ClassPolicy;
import io.kipimo.schemas.policy.Policy;
import io.kipimo.schemas.quality.QualityWindow;
import io.kipimo.schemas.quality.WindowKind;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Sums up the effect of decisions on a class over its control batches, which do not overlap. */
public final class Outcomes {
    private Outcomes() {}

    /**
     * The outcome of one class.
     *
     * @param windows windows of the service
     * @param decisions decisions for the class, in order; shadow decisions have no effect
     */
    public static ClassOutcome of(
            Policy policy, ClassPolicy classPolicy, List<QualityWindow> windows, List<Decision> decisions) {
        List<Decision> effective =
                decisions.stream().filter(d -> d.mode().isEffective()).toList();
        List<QualityWindow> batches = batches(policy, classPolicy, windows);
        long offered = 0;
        double turnedAway = 0;
        int at = -1;
        double least = 1;
        // Without one nothing was applied: front ends were at their start, or in shadow mode.
        double before =
                effective.isEmpty() ? classPolicy.ceiling() : effective.get(0).previous();
        double last = before;
        GateEvidence evidence = GateEvidence.of(
                policy.service(), classPolicy.name(), policy.metrics().get(0), 0, Long.MAX_VALUE);
        for (QualityWindow batch : batches) {
            while (at + 1 < effective.size() && effective.get(at + 1).issuedAtMillis() <= batch.startMillis()) {
                at++;
            }
            last = at < 0 ? before : inForce(policy, classPolicy, effective.get(at), batch.startMillis());
            least = Math.min(least, last);
            offered += batch.offered();
            turnedAway += batch.offered() * (1 - last);
            evidence = evidence.with(batch);
        }
        return new ClassOutcome(
                evidence.estimate(),
                evidence.deliberateLoss(),
                offered,
                offered == 0 ? 0 : turnedAway / offered,
                (int) effective.stream().filter(d -> d.value() != d.previous()).count(),
                batches.isEmpty() ? last : least,
                effective.isEmpty() ? last : effective.get(effective.size() - 1).value());
    }

    /** Share of a class's queries that front ends really rejected, 0..1. */
    public static double rejectedShare(Policy policy, ClassPolicy classPolicy, List<QualityWindow> windows) {
        long offered = 0;
        long rejected = 0;
        for (QualityWindow batch : batches(policy, classPolicy, windows)) {
            offered += batch.offered();
            rejected += batch.rejected();
        }
        return offered == 0 ? 0 : (double) rejected / offered;
    }

    private static double inForce(Policy policy, ClassPolicy classPolicy, Decision decision, long nowMillis) {
        return Leased.fractionAt(
                decision.value(),
                classPolicy.safeFraction(),
                nowMillis - decision.validUntilMillis(),
                policy.admission().decayMillis());
    }

    /** The control batches of a class, each once, since windows are delivered at least once. */
    private static List<QualityWindow> batches(Policy policy, ClassPolicy classPolicy, List<QualityWindow> windows) {
        Set<Long> ends = new HashSet<>();
        return windows.stream()
                .filter(w -> w.kind() == WindowKind.BATCH
                        && w.queryClass().equals(classPolicy.name())
                        && w.metric().equals(policy.metrics().get(0))
                        && ends.add(w.endMillis()))
                .sorted(Comparator.comparingLong(QualityWindow::endMillis))
                .toList();
    }
}
