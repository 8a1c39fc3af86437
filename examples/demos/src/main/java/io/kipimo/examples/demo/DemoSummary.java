package io.kipimo.examples.demo;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Results of a demo.
 *
 * @param service description of the service and of its measurement, a paragraph
 * @param machine description of the machine and of the derived load, a sentence
 * @param notes descriptions of the runs, a sentence each
 */
record DemoSummary(
        String service,
        String machine,
        double objective,
        List<RunResult> runs,
        List<String> notes) {

    /** Whether the control loop worked: every run was measured, and had decisions in force. */
    boolean loopRan() {
        return runs.stream().allMatch(r -> r.samples() > 0 && r.windows() > 0)
                && runs.stream().allMatch(r -> r.decisions() > 0);
    }

    /** What Kipimo brought, if its rival ran too; then what each run did. A sentence each. */
    List<String> verdict() {
        return Stream.concat(comparison().stream(), runs.stream().map(this::verdict)).toList();
    }

    private Optional<String> comparison() {
        Optional<RunResult> rival = run(WayOfControl.TIME_OUT_GUIDED);
        return run(WayOfControl.COSTLIEST_FIRST)
                .filter(kipimo -> rival.isPresent() && rival.get().lowGoodPerSecond() > 0)
                .map(
                        kipimo ->
                                String.format(
                                        Locale.ROOT,
                                        "Kipimo gave %.0f good answers a second to the low class,"
                                                + " %.1f times as many as control by time-outs;"
                                                + " the high class's quality was %.3f against"
                                                + " %.3f.",
                                        kipimo.lowGoodPerSecond(),
                                        kipimo.lowGoodPerSecond() / rival.get().lowGoodPerSecond(),
                                        kipimo.quality().mean(),
                                        rival.get().quality().mean()));
    }

    private Optional<RunResult> run(WayOfControl way) {
        return runs.stream().filter(r -> r.way() == way).findFirst();
    }

    private String verdict(RunResult r) {
        return String.format(
                Locale.ROOT,
                "%s: the high class got answers of quality %.3f, %s %.2f; %.0f %% of the low"
                        + " class was admitted, and %.0f of its answers a second were good.",
                r.way().title(),
                r.quality().mean(),
                r.quality().mean() >= objective
                        ? "which keeps the objective"
                        : "below the objective",
                objective,
                100 * r.lowAdmittedShare(),
                r.lowGoodPerSecond());
    }
}
