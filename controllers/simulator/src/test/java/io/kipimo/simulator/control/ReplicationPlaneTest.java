package io.kipimo.simulator.control;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.kipimo.core.Effort;
import io.kipimo.simulator.report.JsonReport;
import io.kipimo.simulator.report.NamedRun;
import io.kipimo.simulator.scenario.BuiltIn;
import io.kipimo.simulator.scenario.Scenario;
import io.kipimo.simulator.scenario.Simulation;
import io.kipimo.simulator.scenario.SimulationResult;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ReplicationPlaneTest {
    private static final Scenario STEERED = BuiltIn.scenario(
            "spare",
            text -> text.replace("seconds: 1800", "seconds: 1500")
                    + "replication: {target: p99, extra_load_share: 1}\n");
    private static final SimulationResult RESULT = Simulation.run(STEERED);

    @Test
    void replicatorTriesCopiesOnLiveTraffic_oneTierAtATime() {
        SimulationResult.ReplicationTotal replication = RESULT.replication().orElseThrow();

        assertThat(replication.trials()).isPositive();
        assertThat(replication.changes().get(0).reason()).isEqualTo("TRIAL_STARTED");
        assertThat(RESULT.tiers().get(1).executions())
                .isGreaterThan(10L * RESULT.tiers().get(0).calls());
    }

    @Test
    void noTierIsEverAskedForMoreThanItCanDo() {
        assertThat(RESULT.replication().orElseThrow().greatestUtilisation()).isLessThan(1);
    }

    @Test
    void sameSeed_sameDecisions() {
        assertThat(json(Simulation.run(STEERED))).isEqualTo(json(RESULT));
    }

    /** One window of many arrivals, or with a slow neighbour, ended trials within a minute, seed after seed. */
    @ParameterizedTest
    @ValueSource(strings = {"spare", "solr"})
    void byDefaultNoTrialBeginsThatItsBudgetEnds_andCopiesStay(String scenario) {
        Scenario byDefault = BuiltIn.scenario(scenario, text -> text + "replication: {target: p99}\n")
                .withSeconds(1_800);
        List<SimulationResult.ReplicationTotal> totals = LongStream.rangeClosed(1, Effort.of(2, 6))
                .parallel()
                .mapToObj(byDefault::withSeed)
                .map(s -> Simulation.run(s).replication().orElseThrow())
                .toList();

        assertThat(totals)
                .allSatisfy(total -> assertThat(total.changes()).isNotEmpty().noneMatch(c -> c.reason()
                        .equals("LOWERED_INFEASIBLE")));
        assertThat(totals.stream()
                        .filter(t -> !t.proven().equals(List.of(1, 1)))
                        .count())
                .isGreaterThanOrEqualTo(Effort.of(2, 5));
    }

    private static JsonNode json(SimulationResult result) {
        return new ObjectMapper().valueToTree(JsonReport.tree(List.of(new NamedRun("run", result))));
    }
}
