package io.kipimo.examples.demo;

import java.util.List;
import java.util.Locale;

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

    /** What each run did for the two classes, a sentence each. */
    List<String> verdict() {
        return runs.stream()
                .map(
                        r ->
                                String.format(
                                        Locale.ROOT,
                                        "%s: the high class got answers of quality %.3f, %s %.2f; "
                                                + "%.0f %% of the low class was admitted.",
                                        r.way().title(),
                                        r.quality().mean(),
                                        r.quality().mean() >= objective
                                                ? "which keeps the objective"
                                                : "below the objective",
                                        objective,
                                        100 * r.lowAdmittedShare()))
                .toList();
    }
}
