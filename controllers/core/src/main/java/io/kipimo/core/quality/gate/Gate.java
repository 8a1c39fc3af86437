package io.kipimo.core.quality.gate;

import io.kipimo.core.quality.gate.GateResult.Drop;
import io.kipimo.schemas.quality.Estimate;
import java.util.Locale;
import java.util.Optional;

/**
 * The release gate. PASS if the low end of the 95 % interval is at least the objective, FAIL if the
 * high end is below it, else NOT_ENOUGH, as with too few samples. Against a baseline the same holds
 * of the drop, the difference of the two means with its interval from both by squares: at most what
 * is allowed, or more. With both a failure of one fails, and only both pass.
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

    private static GateResult verdict(
            GateEvidence evidence, Optional<GateEvidence> baselineEvidence, GateRule rule) {
        Optional<Estimate> candidate = estimate(evidence, rule);
        Optional<Estimate> baseline = baselineEvidence.flatMap(b -> estimate(b, rule));
        Optional<Drop> drop =
                candidate.isPresent() && baseline.isPresent()
                        ? Optional.of(drop(candidate.get(), baseline.get()))
                        : Optional.empty();

        Judged byObjective =
                candidate
                        .map(c -> byObjective(c, rule))
                        .orElseGet(() -> tooFew("", evidence, rule));
        Judged judged = byObjective;
        if (baselineEvidence.isPresent() && byObjective.verdict != GateVerdict.FAIL) {
            Judged byDrop =
                    drop.map(d -> byDrop(d, rule))
                            .orElseGet(
                                    () ->
                                            candidate.isEmpty()
                                                    ? byObjective
                                                    : tooFew(
                                                            "the baseline has ",
                                                            baselineEvidence.get(),
                                                            rule));
            judged = byObjective.and(byDrop);
        }
        return new GateResult(
                judged.verdict, judged.reason, rule, evidence, candidate, baseline, drop);
    }

    private static Optional<Estimate> estimate(GateEvidence evidence, GateRule rule) {
        return evidence.counts().samples() < rule.minimumSamples()
                ? Optional.empty()
                : evidence.estimate();
    }

    private static Drop drop(Estimate candidate, Estimate baseline) {
        double mean = baseline.mean() - candidate.mean();
        return new Drop(
                mean
                        - Math.hypot(
                                baseline.mean() - baseline.low(),
                                candidate.high() - candidate.mean()),
                mean,
                mean
                        + Math.hypot(
                                baseline.high() - baseline.mean(),
                                candidate.mean() - candidate.low()));
    }

    private static Judged byObjective(Estimate quality, GateRule rule) {
        GateVerdict verdict =
                quality.low() >= rule.objective()
                        ? GateVerdict.PASS
                        : quality.high() < rule.objective()
                                ? GateVerdict.FAIL
                                : GateVerdict.NOT_ENOUGH;
        return new Judged(
                verdict,
                text(
                        "quality is %.4f (%.4f to %.4f), the objective %.4f",
                        quality.mean(), quality.low(), quality.high(), rule.objective()));
    }

    private static Judged byDrop(Drop drop, GateRule rule) {
        GateVerdict verdict =
                drop.high() <= rule.allowedDrop()
                        ? GateVerdict.PASS
                        : drop.low() > rule.allowedDrop()
                                ? GateVerdict.FAIL
                                : GateVerdict.NOT_ENOUGH;
        return new Judged(
                verdict,
                text(
                        "it dropped by %.4f (%.4f to %.4f), allowed %.4f",
                        drop.mean(), drop.low(), drop.high(), rule.allowedDrop()));
    }

    private static Judged tooFew(String whose, GateEvidence evidence, GateRule rule) {
        int samples = evidence.counts().samples();
        return new Judged(
                GateVerdict.NOT_ENOUGH,
                whose
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
            GateVerdict both =
                    verdict == GateVerdict.PASS && other.verdict == GateVerdict.PASS
                            ? GateVerdict.PASS
                            : GateVerdict.NOT_ENOUGH;
            return new Judged(both, reason + "; " + other.reason);
        }
    }
}
