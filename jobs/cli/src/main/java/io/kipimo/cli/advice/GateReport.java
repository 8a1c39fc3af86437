package io.kipimo.cli.advice;

import io.kipimo.core.quality.estimate.StratumCounts;
import io.kipimo.core.quality.window.Gate;
import io.kipimo.core.quality.window.GateEvidence;
import io.kipimo.core.quality.window.GateResult;
import io.kipimo.core.quality.window.GateRule;
import java.io.PrintWriter;
import java.util.LinkedHashMap;
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

    /** The verdict on what was found. */
    static GateReport of(GateInput candidate, Optional<GateInput> baseline, GateRule rule) {
        GateResult result = baseline.map(b -> Gate.verdict(candidate.gate(), b.gate(), rule))
                .orElseGet(() -> Gate.verdict(candidate.gate(), rule));
        return new GateReport(result, baseline.map(GateInput::gate), candidate.losses());
    }

    void print(PrintWriter out) {
        GateEvidence evidence = result.candidateEvidence();
        out.println(FigureText.verdict(result.verdict().name())
                + ": "
                + evidence.service()
                + "/"
                + evidence.queryClass()
                + (evidence.variant().isEmpty() ? "" : " " + evidence.variant())
                + (isAgainst() ? " against " + baseline.orElseThrow().variant() : "")
                + ", "
                + evidence.metric()
                + ": "
                + result.reason());
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

    /** Whether a variant is compared with another one, and not with an earlier time. */
    private boolean isAgainst() {
        return baseline.isPresent()
                && !baseline.get().variant().equals(result.candidateEvidence().variant());
    }

    private static String basis(GateEvidence evidence) {
        StratumCounts counts = evidence.counts();
        return "from "
                + (evidence.fromMillis() == 0 ? "the beginning" : FigureText.time(evidence.fromMillis()))
                + " to "
                + (evidence.untilMillis() == Long.MAX_VALUE ? "the end" : FigureText.time(evidence.untilMillis()))
                + ": "
                + (counts.answered() == 0
                        ? ""
                        : counts.answered() + " answers, " + counts.timedOut() + " lacked a component; ")
                + (evidence.measurableShare() < 1 ? FigureText.share(evidence.measurableShare()) + " measurable; " : "")
                + counts.samples()
                + " measured, "
                + counts.degradedSamples()
                + " lacked a component, "
                + evidence.expired()
                + " expired"
                + (evidence.deliberateLoss() == 0
                        ? ""
                        : "; "
                                + FigureText.fraction(evidence.deliberateLoss())
                                + " lost on purpose, by components not asked");
    }

    Map<String, Object> document() {
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("verdict", FigureText.verdict(result.verdict().name()));
        document.put("reason", result.reason());
        document.put("objective", result.rule().objective());
        document.put("minimumSamples", result.rule().minimumSamples());
        document.put("quality", result.candidate().orElse(null));
        document.put("evidence", document(result.candidateEvidence()));
        if (baseline.isPresent()) {
            document.put("allowedDrop", result.rule().allowedDrop());
            document.put("drop", result.drop().orElse(null));
            document.put("baseline", result.baseline().orElse(null));
            document.put("baselineEvidence", document(baseline.get()));
        }
        document.put("lostBy", losses);
        return document;
    }

    private static Map<String, Object> document(GateEvidence evidence) {
        StratumCounts counts = evidence.counts();
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("service", evidence.service());
        document.put("class", evidence.queryClass());
        document.put("metric", evidence.metric());
        if (!evidence.variant().isEmpty()) {
            document.put("variant", evidence.variant());
        }
        document.put("fromMillis", evidence.fromMillis());
        document.put("untilMillis", evidence.untilMillis());
        document.put("answered", counts.answered());
        document.put("deliberateLoss", evidence.deliberateLoss());
        document.put("timedOut", counts.timedOut());
        document.put("measurableShare", evidence.measurableShare());
        document.put("samples", counts.samples());
        document.put("degradedSamples", counts.degradedSamples());
        document.put("expired", evidence.expired());
        return document;
    }
}
