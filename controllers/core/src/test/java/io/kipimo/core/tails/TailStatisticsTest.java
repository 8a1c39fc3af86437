package io.kipimo.core.tails;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.kipimo.schemas.tails.LatencyStatistics;
import io.kipimo.schemas.tails.ProcessingCapacity;
import io.kipimo.schemas.tails.TailWindow;
import io.kipimo.schemas.tails.TailWindowKind;
import io.kipimo.schemas.tails.TokenUse;
import io.kipimo.schemas.tails.TrafficCounts;
import io.kipimo.schemas.tails.TrafficCountsBuilder;
import java.util.List;
import org.junit.jupiter.api.Test;

class TailStatisticsTest {
    private static final TailScope SERVER = TailScope.server("search", "index", "shard-1", "a");

    /** Latencies 1..1000 ms within 10 s on 2 cores, behind 40 tokens that are held for 0.4 s. */
    private static TailSums aThousand() {
        LatencySketch latencies = new LatencySketch();
        for (int millis = 1; millis <= 1000; millis++) {
            latencies.record(millis * 1000L);
        }
        return new TailSums(
                TrafficCountsBuilder.builder()
                        .arrivals(1010)
                        .completions(1000)
                        .timedOut(10)
                        .failed(5)
                        .connections(101)
                        .inServiceMicros(500_500_000)
                        .busyCoreMicros(15_000_000)
                        .coreMicros(20_000_000)
                        .tokensReturned(505)
                        .tokenHeldMicros(202_000_000)
                        .tokenMicros(400_000_000)
                        .observedMicros(10_000_000)
                        .build(),
                latencies);
    }

    private static TailWindow window(TailScope scope, TailSums sums, Long... objectivesMicros) {
        return TailStatistics.window(scope, TailWindowKind.TUMBLING, 20_000, 30_000, sums, List.of(objectivesMicros));
    }

    @Test
    void everyFigureByHand() {
        TailWindow all = window(SERVER, aThousand(), 100_000L, 990_000L);

        assertThat(all.requestsPerSecond()).isEqualTo(101);
        assertThat(all.connectionsPerSecond()).isEqualTo(10.1, within(1e-12));
        assertThat(all.requestsPerConnection()).hasValue(10.0);
        assertThat(all.concurrency()).isEqualTo(50.05, within(1e-12));
        assertThat(all.utilisation()).hasValue(0.75);
        assertThat(all.timedOutShare()).isEqualTo(10 / 1010.0);
        assertThat(all.failedShare()).isEqualTo(5 / 1010.0);
        assertThat(all.servers()).isEqualTo(1);
        assertThat(all.demand().orElseThrow().requests()).isEqualTo(1000);
        assertThat(all.demand().orElseThrow().meanMicros()).isEqualTo(15_000);
        // 2 cores of 1/15 ms, 101 requests per second.
        ProcessingCapacity capacity = all.capacity().orElseThrow();
        assertThat(capacity.cores()).isEqualTo(2);
        assertThat(capacity.requestsPerSecond()).isCloseTo(133.333, within(1e-3));
        assertThat(capacity.load()).isCloseTo(0.7575, within(1e-4));
        TokenUse tokens = all.tokens().orElseThrow();
        assertThat(tokens.tokens()).isEqualTo(40);
        assertThat(tokens.holdMicros()).isEqualTo(400_000);
        assertThat(tokens.connectionsPerSecond()).isEqualTo(100);
        assertThat(tokens.load()).isCloseTo(0.505, within(1e-12));
        // 50.5 requests a second for 0.4 s each hold 20.2 tokens.
        assertThat(tokens.smallestTokens()).isEqualTo(21);
        LatencyStatistics latency = all.latency().orElseThrow();
        assertThat(latency.count()).isEqualTo(1000);
        assertThat(latency.p50Micros()).isCloseTo(500_000, within(5_000.0));
        assertThat(latency.p90Micros()).isCloseTo(900_000, within(9_000.0));
        assertThat(latency.p95Micros()).isCloseTo(950_000, within(9_500.0));
        assertThat(latency.p99Micros()).isCloseTo(990_000, within(9_900.0));
        assertThat(latency.p999Micros()).isCloseTo(999_000, within(9_990.0));
        assertThat(latency.meanMicros()).isEqualTo(500_500);
        assertThat(latency.maximumMicros()).isEqualTo(1_000_000);
        assertThat(latency.coefficientOfVariation()).isCloseTo(0.5768, within(1e-4));
        // (750 - 250) / (750 + 250)
        assertThat(latency.quartileDispersion()).isCloseTo(0.5, within(0.01));
        assertThat(latency.p95OverMean()).isCloseTo(1.898, within(0.02));
        assertThat(latency.p99OverMean()).isCloseTo(1.978, within(0.02));
        assertThat(latency.serviceLevels().get(0).share()).isCloseTo(0.1, within(0.002));
        assertThat(latency.serviceLevels().get(1).share()).isCloseTo(0.99, within(0.02));
    }

    @Test
    void aTierIsTheMergeOfItsServersNotTheirAverage() {
        TailSums tier = new TailSums();
        tier.addServers(new TailSums(TrafficCounts.NONE, LatencySketch.of(1, 1, 1, 1, 1, 1, 1, 1)));
        tier.addServers(new TailSums(TrafficCounts.NONE, LatencySketch.of(1000, 1000)));

        assertThat(tier.servers()).isEqualTo(2);
        assertThat(tier.latencies().quantileMicros(0.5)).isCloseTo(1, within(0.01));
        assertThat(tier.latencies().quantileMicros(0.95)).isCloseTo(1000, within(10.0));
    }

    @Test
    void laterTimesBringNoMoreServers() {
        TailSums sums = new TailSums();
        sums.addTime(aThousand());
        sums.addTime(aThousand());
        assertThat(sums.servers()).isEqualTo(1);
        assertThat(sums.counts().arrivals()).isEqualTo(2020);
    }

    @Test
    void whatIsNotKnownIsEmptyNot0() {
        TailWindow idle = window(SERVER, new TailSums());
        assertThat(idle.requestsPerSecond()).isZero();
        assertThat(idle.requestsPerConnection()).isEmpty();
        assertThat(idle.utilisation()).isEmpty();
        assertThat(idle.demand()).isEmpty();
        assertThat(idle.capacity()).isEmpty();
        assertThat(idle.tokens()).isEmpty();
        assertThat(idle.latency()).isEmpty();
        assertThat(idle.latencies()).isEmpty();
    }

    @Test
    void tiersWorkOneAfterTheOtherSoAServiceHasNoCapacity() {
        assertThat(window(TailScope.service("search"), aThousand()).capacity()).isEmpty();
        assertThat(window(TailScope.service("search"), aThousand()).demand()).isPresent();
        assertThat(window(TailScope.arbiters("search", "index"), aThousand()).capacity())
                .isEmpty();
        assertThat(window(TailScope.tier("search", "index"), aThousand()).capacity())
                .isPresent();
    }

    @Test
    void refusesWhatCannotBe() {
        assertThatThrownBy(
                        () -> TailStatistics.window(SERVER, TailWindowKind.TUMBLING, 5, 5, new TailSums(), List.of()))
                .hasMessageContaining("an end after the start");
        assertThatThrownBy(() -> TrafficCountsBuilder.builder()
                        .arrivals(1)
                        .completions(2)
                        .timedOut(3)
                        .failed(-4)
                        .connections(5)
                        .inServiceMicros(6)
                        .busyCoreMicros(7)
                        .coreMicros(8)
                        .tokensReturned(9)
                        .tokenHeldMicros(10)
                        .tokenMicros(11)
                        .observedMicros(12)
                        .build())
                .hasMessageContaining("-4 failed");
        assertThatThrownBy(() -> new TailSpans(1500, 3000, 6000)).hasMessageContaining("1500 ms");
        assertThatThrownBy(() -> new TailSpans(2000, 3000, 6000)).hasMessageContaining("3000 ms");
        assertThatThrownBy(() -> new TailSpans(1000, 1000, 61_000)).hasMessageContaining("61000");
    }

    @Test
    void sumsDoNotOverflow() {
        TrafficCounts most =
                TrafficCountsBuilder.builder().arrivals(TrafficCounts.MOST).build();
        assertThat(most.plus(most)).isEqualTo(most);
    }
}
