package io.kipimo.labs.reproductions;

import static org.assertj.core.api.Assertions.assertThat;

import io.kipimo.schemas.policy.Policy;
import io.kipimo.simulator.scenario.BuiltIn;
import io.kipimo.simulator.scenario.Scenario;
import io.kipimo.simulator.scenario.ScenarioController;
import io.kipimo.simulator.scenario.Simulation;
import io.kipimo.simulator.scenario.SimulationResult;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** One trace, so that it takes seconds; {@code kipimo reproduce shedding} prints the table. */
class SheddingTest {
    /** Begins to count sooner, and the mix turns costlier at 100 s. */
    private static final Scenario BRIEF = BuiltIn.scenario(
                    "shedding", text -> text.replace("warm_up_seconds: 180", "warm_up_seconds: 60")
                            .replace("from_seconds: 300", "from_seconds: 100"))
            .withSeconds(160);

    private static SimulationResult run(Scenario scenario, ScenarioController controller) {
        SimulationResult result =
                Simulation.run(SharedService.under(scenario, controller).withSeed(401));
        System.out.printf(
                "%s: high %.3f, low %.0f good answers/s, quality %.3f, admitted %.2f%n",
                controller,
                SharedService.highQuality(result),
                Shedding.goodPerSecond(result),
                result.classTotal("low").quality(),
                SharedService.lowAdmitted(result));
        return result;
    }

    /** Half of the 95 % interval of three traces, which {@code reproduce shedding} prints. */
    private static final double SPREAD = 0.009;

    /** Errors within the dead band are no errors; one trace is off by some spread. */
    private static double kept(Scenario scenario) {
        Policy policy = scenario.control().orElseThrow().policy();
        return policy.highestClass().objective() - policy.admission().deadBand() - SPREAD;
    }

    @Test
    void costliestFirstAnswersMoreAndKeepsTheObjective() {
        SimulationResult uniform = run(BRIEF, ScenarioController.QUALITY);
        SimulationResult byCost = run(BRIEF, ScenarioController.COST);

        assertThat(Shedding.goodPerSecond(byCost)).isGreaterThan(1.1 * Shedding.goodPerSecond(uniform));
        assertThat(SharedService.highQuality(byCost)).isGreaterThan(kept(BRIEF));
    }

    @Tag("full")
    @Test
    void costliestFirstIsUniformWherePredictionsAreWrong() {
        Scenario base = BuiltIn.scenario("shedding");
        Scenario opposite = Shedding.mixes(base).stream()
                .filter(m -> m.name().equals("opposite"))
                .findFirst()
                .orElseThrow()
                .scenario();
        SimulationResult uniform = run(base, ScenarioController.QUALITY);
        SimulationResult misled = run(opposite, ScenarioController.COST);

        assertThat(Shedding.goodPerSecond(misled)).isGreaterThan(0.95 * Shedding.goodPerSecond(uniform));
        assertThat(SharedService.highQuality(misled)).isGreaterThan(kept(base));
    }
}
