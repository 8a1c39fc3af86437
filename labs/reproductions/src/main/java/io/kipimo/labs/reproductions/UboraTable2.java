package io.kipimo.labs.reproductions;

import io.kipimo.simulator.control.ControlSpec;
import io.kipimo.simulator.report.Phrase;
import io.kipimo.simulator.scenario.BuiltIn;
import io.kipimo.simulator.scenario.Scenario;
import io.kipimo.simulator.scenario.ScenarioController;
import io.kipimo.simulator.scenario.SimulationResult;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * Reproduces the effect of fewer samples on measurement and control (Ubora, sec. 8, table II). The paper's errors are
 * relative to its 10 % rate, Kipimo's to the true quality, which the simulator knows.
 */
final class UboraTable2 implements Experiment {
    private static final long[] SEEDS = {201, 202, 203};
    private static final List<ControlSpec.ControlEstimator> COMPARED =
            List.of(ControlSpec.ControlEstimator.STRATIFIED, ControlSpec.ControlEstimator.ASSISTED);
    private static final double[] COMPARED_RATES = {0.02, 0.05};

    /** Difference in the share of violations that counts as a match. It is as large as the spread of the traces. */
    private static final double TOLERANCE = 0.02;

    /**
     * A row of the table, as shares. The paper's errors are relative to its estimate at 10 %, ours to the truth, so
     * only violations can be compared.
     */
    private record UboraTableRow(double rate, double meanError, double p95Error, double violations) {
        String text() {
            return Double.isNaN(violations)
                    ? ""
                    : Phrase.of("%.0f %%; %.0f %%; %.0f %%", 100 * meanError, 100 * p95Error, 100 * violations);
        }
    }

    /** The paper's table as printed. The paper has no figures for 1 %. */
    private static final List<UboraTableRow> PAPER = List.of(
            new UboraTableRow(0.1, 0, 0, 0.04),
            new UboraTableRow(0.05, 0.2, 0.45, 0.09),
            new UboraTableRow(0.03, 0.3, 0.5, 0.13),
            new UboraTableRow(0.02, 0.51, 0.78, 0.29),
            new UboraTableRow(0.01, Double.NaN, Double.NaN, Double.NaN));

    private final long[] seeds;

    UboraTable2() {
        this(SEEDS.length);
    }

    /**
     * Makes the experiment.
     *
     * @param traces number of traces, 1 to 3; with fewer than 3, the estimators are not compared without control
     */
    UboraTable2(long traces) {
        seeds = Arrays.copyOf(SEEDS, (int) traces);
    }

    @Override
    public Reproduction run() {
        Scenario scenario = BuiltIn.scenario("ubora");
        List<Finding> findings = new ArrayList<>();
        for (ControlSpec.ControlEstimator estimator : ControlSpec.ControlEstimator.values()) {
            for (UboraTableRow row : PAPER) {
                findings.add(finding(
                        Phrase.of("%.0f %%, %s", 100 * row.rate(), lower(estimator)),
                        row,
                        SharedService.run(with(scenario, estimator, row.rate()), seeds)));
            }
        }
        findings.add(finding(
                "chosen by the product (0.5 to 20 %), assisted",
                PAPER.get(PAPER.size() - 1), SharedService.run(adaptive(scenario), seeds)));
        findings.add(finding(
                "10 %, stratified" + UboraFigure11.WITH_DEFAULTS,
                PAPER.get(PAPER.size() - 1),
                SharedService.run(
                        UboraFigure11.byDefault(with(scenario, ControlSpec.ControlEstimator.STRATIFIED, 0.1)), seeds)));
        if (seeds.length == SEEDS.length) {
            findings.addAll(comparison());
        }
        return new Reproduction(
                "Scenario ubora, "
                        + seeds.length
                        + " traces, PID on quality; error of a control batch's estimate against the"
                        + " true quality of all its queries. In the paper a batch has 20 samples at"
                        + " 20 %, here too. With few samples the controller does not open, for its interval's low"
                        + " end is below the objective: few violations then go with few low-priority queries admitted."
                        + UboraFigure11.difference(
                                with(scenario, COMPARED.get(0), PAPER.get(0).rate())
                                        .control()
                                        .orElseThrow()),
                findings);
    }

    /** Compares the estimators without control, while the mix turns heavier. */
    private static List<Finding> comparison() {
        List<Finding> findings = new ArrayList<>();
        for (EstimatorComparison.LowLoad load : EstimatorComparison.LowLoad.values()) {
            for (double rate : COMPARED_RATES) {
                for (ControlSpec.ControlEstimator estimator : COMPARED) {
                    EstimatorComparison.EstimatorErrors errors = EstimatorComparison.run(load, rate, estimator, SEEDS);
                    findings.add(Finding.alone(
                            Phrase.of(
                                    "%s overload, %.0f %%, %s: RMSE; bias in the 20 batches"
                                            + " after a change of mix; coverage; half-width",
                                    lower(load), 100 * rate, lower(estimator)),
                            Phrase.of(
                                    "%.3f; %+.3f; %.1f %%; %.3f",
                                    errors.rootMeanSquare(),
                                    errors.biasAfterChange(),
                                    100 * errors.coverage(),
                                    errors.halfWidth()),
                            Phrase.of("mean quality %.2f", errors.quality())));
                }
            }
        }
        return findings;
    }

    private static String lower(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT);
    }

    private static Finding finding(String sampled, UboraTableRow paper, List<SimulationResult> results) {
        double mean = SharedService.average(
                results, r -> r.control().orElseThrow().batches().meanError());
        double p95 = SharedService.average(
                results, r -> r.control().orElseThrow().batches().p95Error());
        double violations = SharedService.average(results, r -> 1 - SharedService.shareAtThreshold(r));
        double without = SharedService.average(results, r -> {
            SimulationResult.BatchErrors b = r.control().orElseThrow().batches();
            return (double) b.without() / Math.max(1, b.judged().size() + b.without());
        });
        String ours = Phrase.of(
                "%.1f %%; %.1f %%; %.1f %%; %.2f (%.1f %% sampled)",
                100 * mean,
                100 * p95,
                100 * violations,
                SharedService.average(results, r -> r.classTotal("low").admittedShare()),
                100 * SharedService.average(results, UboraTable2::sampledShare));
        String note = without < 0.005 ? "" : Phrase.of("%.0f %% of the batches had no estimate", 100 * without);
        String what = "sampled " + sampled + ": mean error; p95 error; violations; low admitted";
        return Double.isNaN(paper.violations())
                ? Finding.alone(what, ours, note)
                : Finding.compared(
                        what,
                        paper.text(),
                        ours,
                        Math.abs(violations - paper.violations()) <= TOLERANCE,
                        "with few samples this controller sheds more rather than violate; " + note);
    }

    private static double sampledShare(SimulationResult result) {
        long answered = result.classes().stream()
                .mapToLong(SimulationResult.ClassTotal::answered)
                .sum();
        return (double) result.control().orElseThrow().measurements() / answered;
    }

    private static Scenario adaptive(Scenario scenario) {
        ControlSpec control = ScenarioController.QUALITY.in(scenario.control().orElseThrow());
        return scenario.withControl(control.withPolicy(PolicyVariants.withAdaptiveSampling(control.policy())));
    }

    private static Scenario with(Scenario scenario, ControlSpec.ControlEstimator estimator, double rate) {
        ControlSpec control = ScenarioController.QUALITY.in(scenario.control().orElseThrow());
        // This experiment needs few samples; at 1 % the guard would hold.
        return scenario.withControl(control.withPolicy(PolicyVariants.withSampling(control.policy(), rate, 3))
                .withEstimator(estimator));
    }
}
