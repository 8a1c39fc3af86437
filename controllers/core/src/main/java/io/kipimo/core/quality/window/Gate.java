package io.kipimo.core.quality.window;

import io.kipimo.core.quality.window.GateResult.Drop;
import io.kipimo.schemas.quality.Estimate;
import io.kipimo.schemas.quality.Unmeasurable;
import java.util.Locale;
import java.util.Optional;

/**
 * The release gate. By the objective, the verdict is PASS if the low end of the quality's 95 % interval is at least the
 * objective, FAIL if the high end is below the objective, and otherwise NOT_ENOUGH, as with too few samples. Against a
 * baseline, the drop is the difference of the two means. The half-widths of their intervals add in squares. The verdict
 * is PASS if the high end of the drop is at most the allowed drop, FAIL if its low end is greater, and otherwise
 * NOT_ENOUGH. With both tests, one FAIL fails, and only two PASS pass.
 *
 * <p>Unmeasurable answers may have any quality, so they count as 0 in the low end of the interval and as 1 in its high
 * end. Against a baseline this applies only to their excess over the baseline's share. With less than half of the
 * answers measurable the verdict is NOT_ENOUGH.
 */
public final class Gate {
    private Gate() {}

    /** The verdict on a release by the objective alone. */
    public static GateResult verdict(GateEvidence candidate, GateRule rule) {
        return verdict(candidate, Optional.empty(), rule);
    }

    /** The verdict on a release by the objective and by its predecessor. */
    public static GateResult verdict(GateEvidence candidate, GateEvidence baseline, GateRule rule) {
        return verdict(candidate, Optional.of(baseline), rule);
    }

    private static GateResult verdict(GateEvidence evidence, Optional<GateEvidence> baselineEvidence, GateRule rule) {
        Optional<Estimate> candidate = estimate(evidence, rule);
        Optional<Estimate> baseline = baselineEvidence.flatMap(b -> estimate(b, rule));
        double share = evidence.measurableShare();
        Optional<Drop> drop = candidate.isPresent() && baseline.isPresent()
                ? Optional.of(drop(
                        ofAll(
                                candidate.get(),
                                Math.min(1, share / baselineEvidence.get().measurableShare())),
                        baseline.get()))
                : Optional.empty();

        Judged byObjective =
                candidate.map(c -> byObjective(c, share, rule)).orElseGet(() -> tooFew("", evidence, rule));
        Judged judged = byObjective;
        if (baselineEvidence.isPresent() && byObjective.verdict != GateVerdict.FAIL) {
            Judged byDrop = drop.map(d -> byDrop(d, rule))
                    .orElseGet(() -> candidate.isEmpty()
                            ? byObjective
                            : tooFew("the baseline has ", baselineEvidence.get(), rule));
            judged = byObjective.and(byDrop);
        }
        String reason = judged.reason + differing("", evidence);
        if (baselineEvidence.isPresent()) {
            reason += differing(" of the baseline", baselineEvidence.get());
        }
        return new GateResult(judged.verdict, reason, rule, evidence, candidate, baseline, drop);
    }

    private static Optional<Estimate> estimate(GateEvidence evidence, GateRule rule) {
        return evidence.counts().samples() < rule.minimumSamples() || isTooLittle(evidence)
                ? Optional.empty()
                : evidence.estimate();
    }

    private static boolean isTooLittle(GateEvidence evidence) {
        return !Verdict.isEnough(evidence.measurableShare());
    }

    /** The interval of all answers, given the interval of the measurable ones and their share. */
    private static Estimate ofAll(Estimate measurable, double share) {
        return new Estimate(measurable.low() * share, measurable.mean(), 1 - share * (1 - measurable.high()));
    }

    private static Drop drop(Estimate candidate, Estimate baseline) {
        double mean = baseline.mean() - candidate.mean();
        return new Drop(
                mean - Math.hypot(baseline.mean() - baseline.low(), candidate.high() - candidate.mean()),
                mean,
                mean + Math.hypot(baseline.high() - baseline.mean(), candidate.mean() - candidate.low()));
    }

    private static Judged byObjective(Estimate quality, double share, GateRule rule) {
        Estimate ofAll = ofAll(quality, share);
        GateVerdict verdict =
                switch (Verdict.of(Optional.of(ofAll), rule.objective())) {
                    case FINE -> GateVerdict.PASS;
                    case WRONG -> GateVerdict.FAIL;
                    case UNCERTAIN, UNKNOWN, IDLE -> GateVerdict.NOT_ENOUGH;
                };
        return new Judged(
                verdict,
                text(
                                "quality is %.4f (%.4f to %.4f), the objective %.4f",
                                quality.mean(), quality.low(), quality.high(), rule.objective())
                        + (share < 1
                                ? text(
                                        "; %.2f %% of the answers are measurable, so it may be %.4f to %.4f",
                                        100 * share, ofAll.low(), ofAll.high())
                                : ""));
    }

    private static Judged byDrop(Drop drop, GateRule rule) {
        GateVerdict verdict = drop.high() <= rule.allowedDrop()
                ? GateVerdict.PASS
                : drop.low() > rule.allowedDrop() ? GateVerdict.FAIL : GateVerdict.NOT_ENOUGH;
        return new Judged(
                verdict,
                text(
                        "it dropped by %.4f (%.4f to %.4f), allowed %.4f",
                        drop.mean(), drop.low(), drop.high(), rule.allowedDrop()));
    }

    /** Tells how many answers could not be measured because the policy's merge differs; empty if none. */
    private static String differing(String whose, GateEvidence evidence) {
        int samples = evidence.differingSamples();
        return samples == 0
                ? ""
                : text(
                        "; %d degraded answers%s are not the merge of their in-time results (%s): %s",
                        samples, whose, Unmeasurable.MERGE_DIFFERS, Unmeasurable.MERGE_DIFFERS.advice());
    }

    private static Judged tooFew(String subject, GateEvidence evidence, GateRule rule) {
        int samples = evidence.counts().samples();
        if (isTooLittle(evidence)) {
            return new Judged(
                    GateVerdict.NOT_ENOUGH,
                    subject
                            + text(
                                    "%.2f %% measurable answers, wanted at least %.0f %%",
                                    100 * evidence.measurableShare(), 100 * Unmeasurable.LEAST_MEASURABLE_SHARE));
        }
        return new Judged(
                GateVerdict.NOT_ENOUGH,
                subject
                        + samples
                        + " measured queries, wanted "
                        + (samples < rule.minimumSamples()
                                ? "at least " + rule.minimumSamples()
                                : "some that lacked a component"));
    }

    private static String text(String format, Object... figures) {
        return String.format(Locale.ROOT, format, figures);
    }

    private record Judged(GateVerdict verdict, String reason) {
        Judged and(Judged other) {
            if (equals(other)) {
                return this;
            }
            if (other.verdict == GateVerdict.FAIL) {
                return other;
            }
            GateVerdict both = verdict == GateVerdict.PASS && other.verdict == GateVerdict.PASS
                    ? GateVerdict.PASS
                    : GateVerdict.NOT_ENOUGH;
            return new Judged(both, reason + "; " + other.reason);
        }
    }
}
