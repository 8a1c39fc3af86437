package io.kipimo.cli.advice;

import io.kipimo.core.quality.estimate.StratumCounts;
import io.kipimo.core.quality.window.Gate;
import io.kipimo.core.quality.window.GateEvidence;
import io.kipimo.core.quality.window.GateResult;
import io.kipimo.core.quality.window.GateRule;
import io.kipimo.schemas.document.JsonObject;
import java.io.PrintWriter;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * A verdict with its figures, as text and as JSON.
 *
 * @param losses share of the quality lost by component, greatest first
 */
record GateReport(GateResult result, Optional<GateEvidence> baseline, Map<String, Double> losses) {
    private static final int SHOWN_COMPONENTS = 3;

    /** Judges the candidate, against the baseline if there is one. */
    static GateReport of(GateInput candidate, Optional<GateInput> baseline, GateRule rule) {
        GateResult result = baseline.map(b -> Gate.verdict(candidate.gate(), b.gate(), rule))
                .orElseGet(() -> Gate.verdict(candidate.gate(), rule));
        return new GateReport(result, baseline.map(GateInput::gate), candidate.losses());
    }

    void print(PrintWriter out) {
        GateEvidence evidence = result.candidateEvidence();
        out.println("%s: %s/%s%s%s, %s: %s"
                .formatted(
                        FigureText.verdict(result.verdict().name()),
                        evidence.service(),
                        evidence.queryClass(),
                        evidence.variant().isEmpty() ? "" : " " + evidence.variant(),
                        isAgainst() ? " against " + baseline.orElseThrow().variant() : "",
                        evidence.metric(),
                        result.reason()));
        out.println(basis(evidence));
        baseline.ifPresent(b -> out.println((isAgainst() ? b.variant() : "baseline")
                + ": "
                + result.baseline()
                        .map(e -> FigureText.fraction(e.mean()) + " (" + FigureText.interval(e) + "); ")
                        .orElse("")
                + basis(b)));
        if (!losses.isEmpty()) {
            out.println("lost by "
                    + losses.entrySet().stream()
                            .limit(SHOWN_COMPONENTS)
                            .map(e -> e.getKey() + " " + FigureText.share(e.getValue()))
                            .collect(Collectors.joining(", ")));
        }
    }

    /** Tells whether the baseline is another variant. Otherwise it is an earlier time of the judged variant. */
    private boolean isAgainst() {
        return baseline.isPresent()
                && !baseline.get().variant().equals(result.candidateEvidence().variant());
    }

    private static String basis(GateEvidence evidence) {
        StratumCounts counts = evidence.counts();
        return "from %s to %s: %s%s%s measured, %s lacked a component, %s expired%s"
                .formatted(
                        evidence.fromMillis() == 0 ? "the beginning" : FigureText.time(evidence.fromMillis()),
                        evidence.untilMillis() == Long.MAX_VALUE ? "the end" : FigureText.time(evidence.untilMillis()),
                        counts.answered() == 0
                                ? ""
                                : counts.answered() + " answers, " + counts.timedOut() + " lacked a component; ",
                        evidence.measurableShare() < 1
                                ? FigureText.share(evidence.measurableShare()) + " measurable; "
                                : "",
                        counts.samples(),
                        counts.degradedSamples(),
                        evidence.expired(),
                        evidence.deliberateLoss() == 0
                                ? ""
                                : "; "
                                        + FigureText.fraction(evidence.deliberateLoss())
                                        + " lost on purpose, by components not asked");
    }

    Map<String, Object> document() {
        JsonObject document = new JsonObject()
                .with("verdict", FigureText.verdict(result.verdict().name()))
                .with(result, "reason")
                .with(result.rule(), "objective", "minimumSamples")
                .with("quality", result.candidate())
                .with("evidence", document(result.candidateEvidence()));
        baseline.ifPresent(evidence -> document.with(result.rule(), "allowedDrop")
                .with(result, "drop", "baseline")
                .with("baselineEvidence", document(evidence)));
        return document.with("lostBy", losses);
    }

    private static JsonObject document(GateEvidence evidence) {
        return new JsonObject()
                .with(evidence, "service")
                .with("class", evidence.queryClass())
                .with(evidence, "metric")
                .withPresent("variant", Optional.of(evidence.variant()).filter(name -> !name.isEmpty()))
                .with(evidence, "fromMillis", "untilMillis")
                .with("answered", evidence.counts().answered())
                .with("deliberateLoss", evidence.deliberateLoss())
                .with("timedOut", evidence.counts().timedOut())
                .with("measurableShare", evidence.measurableShare())
                .with("samples", evidence.counts().samples())
                .with("degradedSamples", evidence.counts().degradedSamples())
                .with(evidence, "expired");
    }
}
