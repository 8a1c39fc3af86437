package io.kipimo.labs.demos.admission;

import io.kipimo.simulator.report.Phrase;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Results of a demo.
 *
 * @param service description of the service and of its measurement, a paragraph
 * @param machine description of the machine and of the derived load, a sentence
 * @param notes descriptions of the runs, a sentence each
 */
record DemoSummary(String service, String machine, double objective, List<RunResult> runs, List<String> notes) {

    /** Returns whether the control loop worked: every run was measured, and had decisions in force. */
    boolean loopRan() {
        return runs.stream().allMatch(r -> r.samples() > 0 && r.windows() > 0)
                && runs.stream().allMatch(r -> r.decisions() > 0);
    }

    /** A sentence on Kipimo's benefit, if the run to compare with is there, then a sentence on each run. */
    List<String> verdict() {
        return Stream.concat(comparison().stream(), runs.stream().map(this::verdict))
                .toList();
    }

    private Optional<String> comparison() {
        Optional<RunResult> timeOuts = run(WayOfControl.TIME_OUT_GUIDED);
        Optional<RunResult> costliestFirst = run(WayOfControl.COSTLIEST_FIRST);
        if (timeOuts.isPresent() && costliestFirst.isPresent()) {
            return timeOuts.filter(rival -> rival.lowGoodPerSecond() > 0)
                    .map(rival -> against(costliestFirst.get(), rival));
        }
        return run(WayOfControl.FULL_SHARING)
                .flatMap(all -> run(WayOfControl.QUALITY_GUIDED).map(k -> againstNoControl(k, all)));
    }

    private static String against(RunResult kipimo, RunResult rival) {
        return Phrase.of(
                "Kipimo gave %.0f good answers a second to the low class, %.1f times as many as"
                        + " control by time-outs; the high class's quality was %.3f against %.3f.",
                kipimo.lowGoodPerSecond(),
                kipimo.lowGoodPerSecond() / rival.lowGoodPerSecond(),
                kipimo.quality().mean(),
                rival.quality().mean());
    }

    /**
     * Compares control with no control. The text says that nothing was gained if the intervals of the high class's
     * quality overlap.
     */
    private static String againstNoControl(RunResult kipimo, RunResult all) {
        boolean hasGained = kipimo.quality().low() > all.quality().high();
        return Phrase.of(
                "%s: the high class's quality was %.3f (%.3f..%.3f) with it, and %.3f (%.3f..%.3f)"
                        + " with everything admitted.",
                hasGained ? "Control kept quality up" : "Control gained nothing that shows here",
                kipimo.quality().mean(),
                kipimo.quality().low(),
                kipimo.quality().high(),
                all.quality().mean(),
                all.quality().low(),
                all.quality().high());
    }

    private Optional<RunResult> run(WayOfControl way) {
        return runs.stream().filter(r -> r.way() == way).findFirst();
    }

    private String verdict(RunResult r) {
        return Phrase.of(
                "%s: the high class got answers of quality %.3f, %s %.2f; %.0f %% of the low"
                        + " class was admitted, and %.0f of its answers a second were good.",
                r.way().title(),
                r.quality().mean(),
                r.quality().mean() >= objective ? "which keeps the objective" : "below the objective",
                objective,
                100 * r.lowAdmittedShare(),
                r.lowGoodPerSecond());
    }
}
