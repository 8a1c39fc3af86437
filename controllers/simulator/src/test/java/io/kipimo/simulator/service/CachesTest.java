package io.kipimo.simulator.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.kipimo.simulator.scenario.Scenario;
import io.kipimo.simulator.scenario.ScenarioReader;
import io.kipimo.simulator.scenario.Simulation;
import io.kipimo.simulator.scenario.SimulationResult;
import io.kipimo.simulator.workload.QueryKind;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class CachesTest {
    private static final int ITEMS = 20;

    @Test
    void itemsLieInNoCacheAlone_andCachesHaveTheirShareAgain() {
        ItemMap map = new ItemMap(List.of(new QueryKind("any", 1, 0.5, 0.7)), 4, 8, ITEMS);
        long cached = 0;
        for (int i = 0; i < 2_000; i++) {
            Placement placement = map.placementOf(new Query(0, i * 7_919L, 0, -1, 0));
            assertThat(Arrays.stream(placement.homes())).allMatch(h -> h >= 4 && h < 12);
            assertThat(Arrays.stream(placement.caches())).allMatch(c -> c >= Placement.NONE && c < 4);
            cached += Arrays.stream(placement.caches()).filter(c -> c >= 0).count();
        }

        assertThat(cached / (2_000.0 * ITEMS)).isCloseTo(0.7, within(0.01));
    }

    @Test
    void cachedItem_isReturnedByItsHomeAndByItsCache() {
        Placement placement = new Placement(new int[] {5, 6}, new int[] {1, Placement.NONE});

        assertThat(placement.itemsIn(1).size()).isEqualTo(1);
        assertThat(placement.itemsIn(5).size()).isEqualTo(1);
        assertThat(placement.itemsIn(6).size()).isEqualTo(1);
        assertThat(placement.itemsIn(0).size()).isZero();
    }

    /** Poisson requests for a key hit with probability l TTL / (1 + l TTL). */
    @Test
    void hitRatioOfATimeToLive_isTheKnownOne() {
        double rate = 200;
        int keys = 100;
        for (double ttl : new double[] {0.5, 5}) {
            Scenario scenario = ScenarioReader.read("""
                            name: cached
                            seconds: 400
                            service:
                              tiers:
                                - name: store
                                  cores: 16
                                  demand: {kind: constant, mean_millis: 0.001}
                                  answer_cache: {keys: 100, popularity: 1, ttl_seconds: %s}
                              classes:
                                - name: all
                                  arrivals: {kind: poisson, rate_per_second: 200}
                            """.formatted(ttl), file -> file);
            SimulationResult.TierTotal store = Simulation.run(scenario).tiers().get(0);
            double sum = 0;
            for (int key = 1; key <= keys; key++) {
                sum += 1.0 / key;
            }
            double expected = 0;
            for (int key = 1; key <= keys; key++) {
                double share = 1 / sum / key;
                double each = rate * share * ttl;
                expected += share * each / (1 + each);
            }

            assertThat((double) store.hits() / store.lookups()).isCloseTo(expected, within(0.01));
            assertThat(store.executions()).isEqualTo(store.lookups() - store.hits());
        }
    }
}
