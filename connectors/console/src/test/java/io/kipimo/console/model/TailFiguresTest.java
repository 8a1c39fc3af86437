package io.kipimo.console.model;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.kipimo.schemas.tails.LatencyStatisticsBuilder;
import io.kipimo.schemas.tails.TailLevel;
import io.kipimo.schemas.tails.TailWindowBuilder;
import io.kipimo.schemas.tails.TailWindowKind;
import io.kipimo.schemas.tails.TrafficCounts;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class TailFiguresTest {
    private static final long NOW = 1_000_000_000_000L;

    private final ConsoleModel model = new ConsoleModel();

    private JsonNode tails() throws Exception {
        return new ObjectMapper()
                .readTree(model.service(Records.SERVICE, NOW).orElseThrow())
                .path("tails");
    }

    private void add(TailLevel level, String component, String server, long endMillis, double p99Millis) {
        add(TailWindowKind.TUMBLING, level, component, server, endMillis, p99Millis);
    }

    private void add(
            TailWindowKind kind, TailLevel level, String component, String server, long endMillis, double p99Millis) {
        model.tails(
                TailWindowBuilder.builder()
                        .level(level)
                        .kind(kind)
                        .service(Records.SERVICE)
                        .tier(level == TailLevel.SERVICE ? "" : "index")
                        .component(component)
                        .server(server)
                        .startMillis(endMillis - 10_000)
                        .endMillis(endMillis)
                        .servers(1)
                        .counts(TrafficCounts.NONE)
                        .requestsPerSecond(100)
                        .connectionsPerSecond(10)
                        .requestsPerConnection(Optional.of(10.0))
                        .concurrency(3)
                        .utilisation(Optional.of(0.5))
                        .timedOutShare(0.01)
                        .latency(
                                p99Millis == 0
                                        ? Optional.empty()
                                        : Optional.of(LatencyStatisticsBuilder.builder()
                                                .count(1000)
                                                .p50Micros(1000)
                                                .p90Micros(2000)
                                                .p95Micros(3000)
                                                .p99Micros(p99Millis * 1000)
                                                .p999Micros(p99Millis * 1000)
                                                .meanMicros(1500)
                                                .maximumMicros((long) (p99Millis * 1000))
                                                .coefficientOfVariation(1)
                                                .quartileDispersion(0.5)
                                                .p95OverMean(2)
                                                .p99OverMean(3)
                                                .build()))
                        .latencies(new byte[0])
                        .build(),
                NOW);
    }

    private void tier(long endMillis) {
        add(TailLevel.SERVICE, "", "", endMillis, 5);
        add(TailLevel.TIER, "", "", endMillis, 5);
        add(TailLevel.COMPONENT, "shard-1", "", endMillis, 5);
    }

    @Test
    void theNewestWindowOfEachScopeIsShownUntilItIsGone() throws Exception {
        model.policy(Records.policy());
        assertThat(tails().isNull()).isTrue();
        tier(NOW - 50_000);
        add(TailLevel.SERVER, "shard-1", "a", NOW - 50_000, 5);
        add(TailLevel.SERVER, "shard-1", "b", NOW - 50_000, 7);
        tier(NOW - 40_000);
        add(TailLevel.SERVER, "shard-1", "b", NOW - 40_000, 8);
        add(TailLevel.SERVER, "shard-1", "b", NOW - 50_000, 9);
        add(TailWindowKind.SLIDING, TailLevel.SERVER, "shard-1", "b", NOW - 40_000, 99);
        add(TailLevel.SERVER, "shard-1", "c", NOW + 3_600_000, 99);

        JsonNode component = tails().at("/tiers/0/components/0");
        assertThat(tails().path("endMillis").asLong()).isEqualTo(NOW - 40_000);
        assertThat(component.path("name").asText()).isEqualTo("shard-1");
        assertThat(component.path("p99").asDouble()).isEqualTo(5);
        assertThat(component.path("load").isNull()).isTrue();
        assertThat(component.path("listed").findValuesAsText("name")).containsExactly("a", "b");
        assertThat(component.at("/listed/1/p99").asDouble()).isEqualTo(8);

        tier(NOW - 10_000);
        assertThat(tails().at("/tiers/0/components/0/listed").findValuesAsText("name"))
                .as("a is removed after three windows")
                .containsExactly("b");
    }

    @Test
    void ofManyServersTheSlowestAreListedByName() throws Exception {
        model.policy(Records.policy());
        tier(NOW);
        for (int i = 0; i < 2000; i++) {
            add(TailLevel.SERVER, "shard-1", "s" + (10_000 + i), NOW, i % 1000);
        }
        JsonNode listed = tails().at("/tiers/0/components/0/listed");
        assertThat(listed).hasSize(480);
        assertThat(listed.findValuesAsText("name")).isSorted();
        assertThat(listed).allSatisfy(s -> assertThat(s.path("p99").asDouble()).isGreaterThanOrEqualTo(760));
    }
}
