package io.kipimo.core.tails;

import static org.assertj.core.api.Assertions.assertThat;

import io.kipimo.schemas.tails.ServerObservation;
import io.kipimo.schemas.tails.ServerObservationBuilder;
import io.kipimo.schemas.tails.TailWindowKind;
import io.kipimo.schemas.tails.TrafficCounts;
import io.kipimo.schemas.tails.TrafficCountsBuilder;
import io.kipimo.schemas.tails.Vantage;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Random;
import java.util.TreeMap;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

/** Windows composed of panes and steps, compared with sums over all seconds. */
class ScopeWindowsPropertyTest {
    private static final TailSpans SPANS = new TailSpans(2000, 6000, 18_000);

    private record Window(TailWindowKind kind, long endMillis) {}

    @Property(tries = 300, seed = "4711")
    void everyWindowHoldsWhatEachOfItsSecondsHeld(@ForAll long seed) throws IOException {
        Random random = new Random(seed);
        NavigableMap<Long, Long> latencyBySecond = new TreeMap<>();
        Map<Window, Long> counts = new HashMap<>();
        ServerWindows windows = new ServerWindows();
        long watermark = 0;
        for (int i = 0; i < 60; i++) {
            // Up to 3 s out of order, with occasional short and long gaps.
            watermark += random.nextInt(20) == 0 ? random.nextInt(40_000) : random.nextInt(2500);
            ended(windows, watermark, latencyBySecond, counts);
            if (random.nextInt(8) == 0) {
                windows = random.nextBoolean() ? stored(windows) : windows.copy();
            }
            long second = watermark / 1000 * 1000 + 1000L * random.nextInt(4);
            ServerObservation observation = second(second, 1 + random.nextInt(1_000_000));
            ServerWindows.Fate fate = windows.add(observation, SPANS, watermark);
            if (second / 2000 * 2000 + 2000 > watermark) {
                assertThat(fate)
                        .isEqualTo(
                                latencyBySecond.containsKey(second)
                                        ? ServerWindows.Fate.DUPLICATE
                                        : ServerWindows.Fate.ADDED);
                latencyBySecond.putIfAbsent(
                        second, LatencySketch.fromBytes(observation.latencies()).maximumMicros());
            } else {
                assertThat(fate).isEqualTo(ServerWindows.Fate.LATE);
            }
        }
        ended(windows, watermark + 100_000, latencyBySecond, counts);

        assertThat(windows.isEmpty()).as("nothing is kept for ever").isTrue();
        for (long second : latencyBySecond.keySet()) {
            long pane = second / 2000 * 2000 + 2000;
            assertThat(counts).containsKey(new Window(TailWindowKind.TUMBLING, pane));
            long step = second / 6000 * 6000 + 6000;
            for (int i = 0; i < 3; i++) {
                assertThat(counts).containsKey(new Window(TailWindowKind.SLIDING, step + i * 6000L));
            }
        }
    }

    private static void ended(
            ServerWindows windows, long nowMillis, NavigableMap<Long, Long> latencyBySecond, Map<Window, Long> counts) {
        windows.close(SPANS, nowMillis, (kind, start, end, sums) -> {
            long length = kind == TailWindowKind.TUMBLING ? 2000 : 18_000;
            LatencySketch all = new LatencySketch();
            latencyBySecond.subMap(end - length, end).values().forEach(all::record);
            assertThat(sums.latencies()).isEqualTo(all);
            assertThat(sums.counts().observedMicros()).isEqualTo(1_000_000 * all.count());
            assertThat(sums.servers()).isEqualTo(1);
            assertThat(start).isBetween(end - length, end - 2000);
            assertThat(counts.put(new Window(kind, end), all.count()))
                    .as("once each")
                    .isNull();
        });
    }

    private static ServerObservation second(long secondMillis, long latencyMicros) {
        return ServerObservationBuilder.builder()
                .service("s")
                .tier("t")
                .component("c")
                .server("1")
                .vantage(Vantage.SERVER)
                .secondMillis(secondMillis)
                .counts(TrafficCountsBuilder.builder()
                        .arrivals(1)
                        .completions(1)
                        .observedMicros(1_000_000)
                        .build())
                .latencies(LatencySketch.of(latencyMicros).toBytes())
                .build();
    }

    private static ServerWindows stored(ServerWindows windows) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        windows.write(new DataOutputStream(bytes));
        return ServerWindows.read(new DataInputStream(new ByteArrayInputStream(bytes.toByteArray())));
    }

    /** After a restart event time starts anew, so late records would not count as late. */
    @Test
    void aClosedWindowIsNotOpenedAgain() throws IOException {
        ServerWindows windows = new ServerWindows();
        windows.add(second(10_000, 5), SPANS, 0);
        windows.close(SPANS, 12_000, (kind, start, end, sums) -> {});

        ServerWindows restored = stored(windows);
        assertThat(restored.add(second(11_000, 5), SPANS, Long.MIN_VALUE)).isEqualTo(ServerWindows.Fate.LATE);
        assertThat(restored.add(second(12_000, 5), SPANS, Long.MIN_VALUE)).isEqualTo(ServerWindows.Fate.ADDED);
    }

    @Test
    void aScopeIsFoundAgainByItsKey() {
        for (TailScope scope = TailScope.server("s", "t", "c", "1");
                scope.whole().isPresent();
                scope = scope.whole().get()) {
            assertThat(TailScope.ofKey(scope.key())).isEqualTo(scope);
        }
        TailScope all = TailScope.arbiters("s", "t");
        assertThat(TailScope.ofKey(all.key())).isEqualTo(all);
        assertThat(all.whole()).isEmpty();
    }

    /** For any traffic, ten minutes of heavy tails take some kilobytes for each server. */
    @Test
    void aServersStateIsBounded() throws IOException {
        TailSpans spans = new TailSpans(10_000, 60_000, 600_000);
        Random random = new Random(4711);
        ServerWindows windows = new ServerWindows();
        for (long second = 0; second < 1_300_000; second += 1000) {
            windows.close(spans, second, (kind, start, end, sums) -> {});
            LatencySketch latencies = new LatencySketch();
            for (int i = 0; i < 2_000; i++) {
                latencies.record((long) (10_000 * Math.exp(1.5 * random.nextGaussian())));
            }
            windows.add(
                    ServerObservationBuilder.builder()
                            .service("s")
                            .tier("t")
                            .component("c")
                            .server("1")
                            .vantage(Vantage.SERVER)
                            .secondMillis(second)
                            .counts(TrafficCountsBuilder.builder()
                                    .arrivals(2000)
                                    .completions(2000)
                                    .observedMicros(1_000_000)
                                    .build())
                            .latencies(latencies.toBytes())
                            .build(),
                    spans,
                    second);
        }
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        windows.write(new DataOutputStream(bytes));
        assertThat(bytes.size()).isLessThan(40_000);
    }

    @Test
    void slidingWindowsBeginWhereTheScopeDid() {
        ScopeWindows windows = new ScopeWindows();
        windows.add(10_000, new TailSums(TrafficCounts.NONE, LatencySketch.of(1)));
        List<String> seen = new ArrayList<>();
        windows.close(SPANS, 40_000, (kind, start, end, sums) -> seen.add(kind + " " + start + ".." + end));
        assertThat(seen)
                .containsExactly(
                        "TUMBLING 10000..12000",
                        "SLIDING 10000..12000",
                        "SLIDING 10000..18000",
                        "SLIDING 10000..24000");
        assertThat(windows.isEmpty()).isTrue();
    }
}
