package io.kipimo.simulator.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.api.Assertions.withinPercentage;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.kipimo.core.Effort;
import io.kipimo.core.quality.join.JoinResult;
import io.kipimo.simulator.report.HtmlReport;
import io.kipimo.simulator.report.JsonReport;
import io.kipimo.simulator.report.NamedRun;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class SimulationTest {
    /** The paper's trace is three hours; the properties tested here show about its first peak, which comes sooner. */
    private static final Scenario UBORA = BuiltIn.scenario(
                    "ubora", text -> text.replace("peak_at_seconds: 4500", "peak_at_seconds: 900")
                            .replace("from_seconds: 2700", "from_seconds: 300"))
            .withSeconds(1500);

    private static final SimulationResult NONE = run(UBORA, ScenarioController.NO_SHARING);
    private static final SimulationResult FULL = run(UBORA, ScenarioController.FULL_SHARING);

    private static final Scenario FAULTS = BuiltIn.scenario("faults").withSeconds(Effort.of(250, 600));
    private static final SimulationResult FAULTY = Simulation.run(FAULTS);

    @Test
    void sameSeed_sameBytes() {
        assertThat(bytes(FAULTS, Simulation.run(FAULTS))).isEqualTo(bytes(FAULTS, FAULTY));
    }

    @Tag("full")
    @Test
    void anotherSeed_otherBytes() {
        Scenario other = FAULTS.withSeed(2);

        assertThat(bytes(other, Simulation.run(other))).isNotEqualTo(bytes(FAULTS, FAULTY));
    }

    private static String bytes(Scenario scenario, SimulationResult result) {
        List<NamedRun> runs = List.of(new NamedRun("run", result));
        JsonNode tree = new ObjectMapper().valueToTree(JsonReport.tree(runs));
        return tree + HtmlReport.page(scenario, runs);
    }

    /** The queries are the same whatever is admitted, so controllers are compared pairwise. */
    @Test
    void controllersMeetTheSameQueries() {
        assertThat(FULL.classTotal("low").offered())
                .isEqualTo(NONE.classTotal("low").offered());
        assertThat(FULL.classTotal("high").offered())
                .isEqualTo(NONE.classTotal("high").offered());
    }

    @Test
    void noSharing_keepsTheQuality_fullSharing_losesIt() {
        assertThat(NONE.classTotal("low").admitted()).isZero();
        assertThat(NONE.control().orElseThrow().quality().worstWindow()).isGreaterThan(0.9);
        assertThat(FULL.classTotal("low").admittedShare()).isGreaterThan(0.99);
        assertThat(FULL.control().orElseThrow().quality().worstWindow()).isLessThan(0.7);
    }

    /** The product's measurement of a fifth of the queries agrees with the truth of all. */
    @Test
    void measuredQuality_isTheTrueOne() {
        int last = FULL.slots().size() - 1;
        double truth = 0;
        for (int slot = last - 9; slot <= last; slot++) {
            truth += FULL.slots().get(slot).classes().get(0).quality() / 10;
        }

        assertThat(FULL.slots().get(last).measured().orElseThrow().mean()).isCloseTo(truth, within(0.05));
        assertThat(FULL.control().orElseThrow().batches().meanError()).isLessThan(0.05);
    }

    /** in = joined + late + duplicate, and each sampled query is measured once. */
    @Test
    void faultyLog_repeatsAreDuplicates_andNothingIsMeasuredTwice() {
        SimulationResult.ControlTotal control = FAULTY.control().orElseThrow();

        assertThat(control.fates().get(JoinResult.DUPLICATE)).isPositive();
        assertThat(control.expired()).isPositive();
        assertThat(control.measurements())
                .isCloseTo(
                        Math.round(0.1
                                * FAULTY.classes().stream()
                                        .mapToLong(c -> c.answered())
                                        .sum()),
                        withinPercentage(6.5));
    }

    @Test
    void interference_widensTheTail_andCopiesNarrowItAgain() {
        Scenario spare = BuiltIn.scenario("spare").withSeconds(Effort.of(200, 600));
        double alone = p99(Simulation.run(spare));
        double copied = p99(Simulation.run(spare.withService(spare.service().withFactors(2, 2))));

        assertThat(copied).isLessThan(0.9 * alone);
    }

    private static double p99(SimulationResult result) {
        return result.classTotal("pages").latencies().p99();
    }

    private static SimulationResult run(Scenario scenario, ScenarioController controller) {
        return Simulation.run(
                scenario.withControl(controller.in(scenario.control().orElseThrow())));
    }
}
