package io.kipimo.simulator.suite;

import static org.assertj.core.api.Assertions.assertThat;

import io.kipimo.core.guard.PolicyCheck;
import io.kipimo.schemas.policy.Policy;
import io.kipimo.simulator.control.ControlSpec;
import io.kipimo.simulator.scenario.Scenario;
import io.kipimo.simulator.scenario.Simulation;
import io.kipimo.simulator.scenario.SimulationResult.Slot;
import java.util.DoubleSummaryStatistics;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Gains near the objective, by the warning of {@code policy set} and in the simulator. */
@Tag("full")
class GainsTest {
    private static final int SETTLED_SECONDS = 120;

    private record Gains(double kp, double ki) {}

    private static final List<Gains> GRID = List.of(
            new Gains(0.1, 0.005),
            new Gains(0.3, 0.015),
            new Gains(0.3, 0.05),
            new Gains(0.1, 0.1),
            new Gains(1, 0.015),
            new Gains(0.3, 0.2),
            new Gains(2, 0.05),
            new Gains(4, 0.08),
            new Gains(4, 0.4));

    /** Near the objective alone: further away the law steps by the load, so no gains move the fraction much more. */
    @Test
    void thoseThatAreWarnedOfMoveTheFractionMore() {
        DoubleSummaryStatistics warned = new DoubleSummaryStatistics();
        DoubleSummaryStatistics others = new DoubleSummaryStatistics();
        for (Gains gains : GRID) {
            Scenario scenario = with(gains);
            Policy policy = scenario.control().orElseThrow().policy();
            double moved = LongStream.rangeClosed(1, 4)
                    .parallel()
                    .mapToDouble(seed ->
                            moved(Simulation.run(scenario.withSeed(seed)).slots()))
                    .average()
                    .orElseThrow();
            boolean isWarnedOf = !PolicyCheck.warnings(policy).isEmpty();
            System.out.printf("%s, warned of: %s, moves %.3f a minute%n", gains, isWarnedOf, moved);
            (isWarnedOf ? warned : others).accept(moved);
        }
        assertThat(warned.getAverage()).isGreaterThan(1.1 * others.getAverage());
        assertThat(warned.getMax()).isGreaterThan(1.2 * others.getMax());
    }

    private static Scenario with(Gains gains) {
        Scenario scenario = ControlSuite.cases().stream()
                .filter(c -> c.name().equals("start-at-2x"))
                .findFirst()
                .orElseThrow()
                .scenario();
        ControlSpec control = scenario.control().orElseThrow();
        Policy policy = control.policy();
        return scenario.withControl(control.withPolicy(policy.withAdmission(
                policy.admission().toBuilder().kp(gains.kp()).ki(gains.ki()).build())));
    }

    /** Sum of the fraction's moves, a minute. */
    private static double moved(List<Slot> slots) {
        double sum = 0;
        for (int i = SETTLED_SECONDS + 1; i < slots.size(); i++) {
            sum += Math.abs(slots.get(i).fraction() - slots.get(i - 1).fraction());
        }
        return sum * 60 / (slots.size() - SETTLED_SECONDS - 1);
    }
}
