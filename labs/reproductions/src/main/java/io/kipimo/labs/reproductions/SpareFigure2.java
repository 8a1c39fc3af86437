package io.kipimo.labs.reproductions;

import io.kipimo.core.replication.Factors;
import io.kipimo.core.replication.TargetMetric;
import io.kipimo.simulator.report.Phrase;
import io.kipimo.simulator.scenario.BuiltIn;
import io.kipimo.simulator.scenario.Scenario;
import io.kipimo.simulator.scenario.SimulationResult;
import java.util.ArrayList;
import java.util.List;

/**
 * Reproduces the gain of replicating pages alone (sPARE, sec. II, fig. 2). The gain is large if the first tier is
 * disturbed, and small if the second is. This motivates the paper's partial replication.
 */
final class SpareFigure2 implements Experiment {
    private static final double SECONDS = 900;
    private static final int[] LOADS = {5, 20};

    @Override
    public Reproduction run() {
        List<Finding> findings = new ArrayList<>();
        for (int load : LOADS) {
            Gain front = gain(3, load);
            findings.add(Finding.compared(
                    load + " pages/s, front end disturbed: mean; p99",
                    "1.5 to 2.0 times",
                    front.text(),
                    front.isWithin(1.5, 2),
                    "the slower copies run on and load the servers that neighbours slow, more so at 20 pages/s"));
            Gain back = gain(1, load);
            findings.add(Finding.compared(
                    load + " pages/s, data base disturbed: mean; p99",
                    "barely 1.1 times",
                    back.text(),
                    back.isWithin(1, 1.1),
                    "a second page uses other data base servers, which helps more here than in the paper"));
        }
        return new Reproduction(
                "Scenario spare, servers in turn, two copies of each page against one, " + (int) SECONDS + " s.",
                findings);
    }

    private record Gain(double mean, double p99) {
        /**
         * Returns whether both gains are in a range, with a tenth of tolerance at either end, since it is read from a
         * plot.
         */
        boolean isWithin(double least, double most) {
            return Math.min(mean, p99) >= 0.9 * least && Math.max(mean, p99) <= 1.1 * most;
        }

        String text() {
            return Phrase.of("%.2f; %.2f times", mean, p99);
        }
    }

    private static Gain gain(int pattern, int load) {
        Scenario scenario = PartialReplication.inTurn(
                        PartialReplication.scenario(BuiltIn.scenario("spare"), pattern, load))
                .withSeconds(SECONDS);
        SimulationResult one = PartialReplication.run(scenario, Factors.ones(2));
        SimulationResult two = PartialReplication.run(scenario, Factors.of(2, 1));
        return new Gain(
                PartialReplication.of(TargetMetric.MEAN, one) / PartialReplication.of(TargetMetric.MEAN, two),
                PartialReplication.of(TargetMetric.P99, one) / PartialReplication.of(TargetMetric.P99, two));
    }
}
