package io.kipimo.sdk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import io.kipimo.core.tails.LatencySketch;
import io.kipimo.core.tails.ProcessorSharing;
import io.kipimo.schemas.codec.Codecs;
import io.kipimo.schemas.codec.InvalidRecordException;
import io.kipimo.schemas.tails.ServerObservation;
import io.kipimo.schemas.tails.Stay;
import io.kipimo.schemas.tails.TrafficCountsBuilder;
import io.kipimo.schemas.tails.Vantage;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ServerReporterTest {
    private static final long NOW = 1_700_000_000_000L;
    private static final long MILLI = 1_000_000;
    private static final ServerIdentity TWO_CORES =
            ServerIdentity.server("search", "index", "shard-1", "shard-1-b", 2).withTokens(3);

    private final AtomicLong nanos = new AtomicLong(77);
    private final List<ServerObservation> published = new ArrayList<>();

    private ServerReporter reporter(ServerIdentity identity) {
        return new ServerReporter(identity, nanos::get, published::add, NOW);
    }

    private void pass(long millis) {
        nanos.addAndGet(millis * MILLI);
    }

    @Test
    void everyFigureByHand() throws InvalidRecordException {
        ServerReporter reporter = reporter(TWO_CORES);
        reporter.connectionOpened();
        long first = reporter.arrived();
        pass(100);
        long second = reporter.arrived();
        pass(100);
        // 300 ms with three requests on two cores.
        long third = reporter.arrived();
        pass(300);
        reporter.completed(first);
        reporter.failed(second);
        pass(400);
        reporter.tokenReturned(700 * MILLI);
        reporter.timedOut(third);
        pass(100);
        reporter.publishClosedSecond(NOW + 999);
        assertThat(published).isEmpty();
        reporter.publishClosedSecond(NOW + 1001);

        assertThat(published).hasSize(1);
        ServerObservation observation = published.get(0);
        assertThat(observation.vantage()).isEqualTo(Vantage.SERVER);
        assertThat(observation.secondMillis()).isEqualTo(NOW);
        assertThat(observation.counts())
                .isEqualTo(TrafficCountsBuilder.builder()
                        .arrivals(3)
                        .completions(1)
                        .timedOut(1)
                        .failed(1)
                        .connections(1)
                        .inServiceMicros(1_600_000)
                        .busyCoreMicros(1_300_000)
                        .coreMicros(2_000_000)
                        .tokensReturned(1)
                        .tokenHeldMicros(700_000)
                        .tokenMicros(3_000_000)
                        .observedMicros(1_000_000)
                        .build());
        assertThat(LatencySketch.fromBytes(observation.latencies())).isEqualTo(LatencySketch.of(500_000));
        assertThat(Codecs.SERVER_OBSERVATION.decode(Codecs.SERVER_OBSERVATION.encode(observation)))
                .usingRecursiveComparison()
                .isEqualTo(observation);
    }

    @Test
    void requestsAcrossSecondsCountInBoth() {
        ServerReporter reporter = reporter(TWO_CORES);
        pass(600);
        long arrival = reporter.arrived();
        pass(400);
        reporter.publishClosedSecond(NOW + 1000);
        pass(300);
        reporter.completed(arrival);
        pass(700);
        reporter.publishClosedSecond(NOW + 2000);
        pass(1000);
        reporter.publishClosedSecond(NOW + 3000);

        assertThat(published).extracting(o -> o.counts().inServiceMicros()).containsExactly(400_000L, 300_000L, 0L);
        assertThat(published).extracting(o -> o.counts().arrivals()).containsExactly(1L, 0L, 0L);
        assertThat(LatencySketch.fromBytes(published.get(1).latencies()).maximumMicros())
                .isEqualTo(700_000);
    }

    @Test
    void theNewestSecondCoversAPause() {
        ServerReporter reporter = reporter(TWO_CORES);
        long arrival = reporter.arrived();
        pass(3000);
        reporter.completed(arrival);
        reporter.publishClosedSecond(NOW + 3000);
        assertThat(published).hasSize(1);
        assertThat(published.get(0).secondMillis()).isEqualTo(NOW + 2000);
        assertThat(published.get(0).counts().observedMicros()).isEqualTo(3_000_000);
        pass(61_000);
        reporter.publishClosedSecond(NOW + 64_000);
        assertThat(published).as("no report after a gap of a minute").hasSize(1);
    }

    @Test
    void closingPublishesTheOpenSecond() {
        ServerReporter reporter = reporter(TWO_CORES);
        pass(1000);
        reporter.publishClosedSecond(NOW + 1000);
        reporter.completed(reporter.arrived());
        pass(250);
        reporter.publishOpenSecond(NOW + 1250);
        assertThat(published).extracting(ServerObservation::secondMillis).containsExactly(NOW, NOW + 1000);
        assertThat(published.get(1).counts().observedMicros()).isEqualTo(250_000);
        assertThat(published.get(1).counts().completions()).isEqualTo(1);
    }

    /** Each event is counted exactly once while seconds are closed. */
    @Test
    void manyThreadsAndAReaderCountEveryRequestOnce() throws Exception {
        int threads = 8;
        int requests = 20_000;
        ServerReporter reporter = new ServerReporter(TWO_CORES, System::nanoTime, published::add, NOW);
        ExecutorService pool = Executors.newFixedThreadPool(threads);
        try {
            List<Future<?>> running = new ArrayList<>();
            for (int t = 0; t < threads; t++) {
                running.add(pool.submit(() -> {
                    for (int i = 0; i < requests; i++) {
                        reporter.completed(reporter.arrived());
                    }
                }));
            }
            long now = NOW;
            while (running.stream().anyMatch(f -> !f.isDone())) {
                now += 1000;
                reporter.publishClosedSecond(now);
            }
            for (Future<?> each : running) {
                each.get();
            }
            reporter.publishOpenSecond(now + 1000);
        } finally {
            pool.shutdownNow();
        }
        LatencySketch all = new LatencySketch();
        published.forEach(o -> all.merge(LatencySketch.fromBytes(o.latencies())));
        assertThat(all.count()).isEqualTo((long) threads * requests);
        assertThat(published.stream().mapToLong(o -> o.counts().arrivals()).sum())
                .isEqualTo((long) threads * requests);
        assertThat(published.stream().mapToLong(o -> o.counts().completions()).sum())
                .isEqualTo((long) threads * requests);
    }

    /** Busy core time over completions is the Baseline estimator's mean demand. */
    @ParameterizedTest
    @CsvSource({"1, 0.1", "1, 0.9", "2, 0.5", "4, 0.7", "8, 0.9"})
    void busyCoreTimeGivesTheMeanDemand(int cores, double utilisation) {
        Random random = new Random(4711);
        ProcessorSharing.Trace trace = ProcessorSharing.run(
                cores,
                utilisation,
                10_000,
                () -> 10_000 * Math.exp(1.2 * random.nextGaussian() - 0.72),
                20_000,
                random);
        ServerReporter reporter = reporter(ServerIdentity.server("search", "index", "shard-1", "a", cores));
        long start = nanos.get();
        record Event(long atMicros, boolean arrival, Stay stay) {}
        List<Event> events = trace.stays().stream()
                .flatMap(
                        s -> Stream.of(new Event(s.arrivalMicros(), true, s), new Event(s.departureMicros(), false, s)))
                .sorted(Comparator.comparingLong(Event::atMicros).thenComparing(e -> !e.arrival()))
                .toList();
        long second = 1;
        for (Event event : events) {
            while (event.atMicros() >= second * 1_000_000) {
                nanos.set(start + second * 1000 * MILLI);
                reporter.publishClosedSecond(NOW + second * 1000);
                second++;
            }
            nanos.set(start + event.atMicros() * 1000);
            if (event.arrival()) {
                reporter.arrived();
            } else {
                reporter.completed(start + event.stay().arrivalMicros() * 1000);
            }
        }
        reporter.publishOpenSecond(NOW + second * 1000);

        long busy =
                published.stream().mapToLong(o -> o.counts().busyCoreMicros()).sum();
        long completions =
                published.stream().mapToLong(o -> o.counts().completions()).sum();
        assertThat(completions).isEqualTo(trace.stays().size());
        assertThat((double) busy / completions)
                .isCloseTo(trace.meanDemandMicros(), within(0.01 * trace.meanDemandMicros()));
        // Single stays are reported in two whole seconds of each minute.
        List<ServerObservation> traced =
                published.stream().filter(o -> !o.stays().isEmpty()).toList();
        assertThat(traced)
                .allSatisfy(o -> assertThat(o.stays()).hasSize((int) o.counts().completions()));
        assertThat(traced.size()).isBetween(2 * (published.size() / 60) - 1, 2 * (1 + published.size() / 60));
    }

    @Test
    void impossibleIdentitiesAreRefusedWithAllProblems() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ServerIdentity.server("a/b", "t", "", "s", -1))
                .withMessageContaining("service is 'a/b'")
                .withMessageContaining("component is ''")
                .withMessageContaining("cores is -1; allowed: 0..");
    }
}
