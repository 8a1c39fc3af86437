package io.kipimo.core.replication;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.kipimo.core.Effort;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.function.IntToDoubleFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class SimulatedQueuesTest {
    /** Absolute; the bar for predictions beside what is achieved. */
    private static final double ACCURACY = 0.02;

    private static final int TIMES_OF_THE_PROCESS = Effort.of(300_000, 1_000_000);

    private static final ServiceTimes CONSTANT = ServiceTimes.measured(10);
    private static final ServiceTimes EXPONENTIAL = quantiles(u -> -10 * Math.log(1 - u));

    /** Lognormal, coefficient of variation about 5: 90 % are below 1.4 times the mean. */
    private static final ServiceTimes HEAVY = quantiles(u -> Math.exp(
            1.8 * new org.apache.commons.math3.distribution.NormalDistribution().inverseCumulativeProbability(u)));

    private static ServiceTimes quantiles(java.util.function.DoubleUnaryOperator quantile) {
        return ServiceTimes.measured(IntStream.range(0, 20_000)
                .mapToDouble(i -> quantile.applyAsDouble((i + 0.5) / 20_000))
                .toArray());
    }

    private static double level(ServiceTimes times, double tau, int duplicates, Traffic traffic) {
        return SimulatedQueues.mix(List.of(times), tau, 1, duplicates, traffic, 7)
                .serviceLevel();
    }

    private static Traffic busy(ServiceTimes times, double utilisation) {
        return Traffic.poisson(utilisation * 1e3 / times.meanMillis(), 0);
    }

    /** M/M/1: P(T <= t) = 1 - exp(-(1 - rho) t / mean). */
    @ParameterizedTest
    @CsvSource({"0.1, 5", "0.3, 20", "0.5, 30", "0.8, 40", "0.9, 100"})
    void exponentialServices_mm1(double utilisation, double tau) {
        assertThat(level(EXPONENTIAL, tau, 1, busy(EXPONENTIAL, utilisation)))
                .isCloseTo(1 - Math.exp(-(1 - utilisation) * tau / 10), within(0.01));
    }

    private static Traffic recorded(double perSecond, IntToDoubleFunction gaps) {
        List<RecordedArrivals.RecordedArrival> arrivals = new ArrayList<>();
        double at = 0;
        for (int i = 0; i < 100_000; i++) {
            at += gaps.applyAsDouble(i);
            arrivals.add(new RecordedArrivals.RecordedArrival(at, ""));
        }
        return new Traffic(perSecond, 1, 0, Traffic.ServerStalls.NONE, Optional.of(RecordedArrivals.of(arrivals)));
    }

    /** D/D/1 waits only if it is overloaded; a recording may have any rate. */
    @Test
    void recordedArrivalsAtEvenTimesDoNotWait() {
        assertThat(level(CONSTANT, 10, 1, recorded(99, i -> 7))).isEqualTo(1);
        assertThat(level(CONSTANT, 10, 1, recorded(101, i -> 7))).isZero();
    }

    /** Two at once: the first waits for nothing, the second for the first. */
    @Test
    void recordedArrivalsInPairsWaitForEachOther() {
        assertThat(level(CONSTANT, 10, 1, recorded(50, i -> i % 2))).isCloseTo(0.5, within(1e-3));
        // The last and the first of the recording may meet, too.
        assertThat(level(CONSTANT, 20, 1, recorded(50, i -> i % 2))).isCloseTo(1, within(1e-4));
    }

    @Test
    void recordedPoissonArrivalsAreAPoissonProcess() {
        Random random = new Random(5);
        Traffic traffic = busy(EXPONENTIAL, 0.5);
        assertThat(level(
                        EXPONENTIAL,
                        30,
                        2,
                        recorded(traffic.arrivalsPerSecond(), i -> -Math.log(1 - random.nextDouble()))))
                .isCloseTo(level(EXPONENTIAL, 30, 2, traffic), within(0.01));
    }

    /** Replicas take recorded requests in turn: each sees every second one of even arrivals. */
    @Test
    void replicasTakeRecordedArrivalsInTurn() {
        Mix mix = SimulatedQueues.mix(List.of(CONSTANT), 10, 2, 1, recorded(198, i -> 1 + i % 2), 3);
        assertThat(mix.serviceLevel()).isEqualTo(1);
    }

    /** M/D/1 (Erlang): P(W <= t) = (1 - rho) sum of (-1)^k e^a a^k / k!, a = lambda (t - k D). */
    @ParameterizedTest
    @CsvSource({"0.2, 10", "0.2, 15", "0.5, 12", "0.5, 25", "0.8, 40"})
    void constantServices_md1(double utilisation, double tau) {
        double wait = tau - 10;
        double sum = 0;
        double factorial = 1;
        for (int k = 0; k * 10 <= wait; k++) {
            factorial *= Math.max(1, k);
            double a = utilisation / 10 * (wait - k * 10);
            sum += Math.pow(-1, k) * Math.exp(a) * Math.pow(a, k) / factorial;
        }
        assertThat(level(CONSTANT, tau, 1, busy(CONSTANT, utilisation)))
                .isCloseTo((1 - utilisation) * sum, within(0.01));
    }

    /** Waits of duplicates with the same arrivals are dependent: constant services wait alike. */
    @Test
    void duplicatesOfConstantServicesGainNothing() {
        assertThat(level(CONSTANT, 12, 8, busy(CONSTANT, 0.5)))
                .isCloseTo(level(CONSTANT, 12, 1, busy(CONSTANT, 0.5)), within(0.005));
    }

    static Stream<Arguments> heavyTails() {
        return Effort.first(
                3,
                Arguments.of(0.25, 4, 7),
                Arguments.of(0.6, 2, 1),
                Arguments.of(0.05, 1, 1),
                Arguments.of(0.05, 4, 1),
                Arguments.of(0.25, 1, 1),
                Arguments.of(0.25, 2, 1),
                Arguments.of(0.25, 4, 1),
                Arguments.of(0.6, 1, 7));
    }

    @ParameterizedTest
    @MethodSource("heavyTails")
    void heavyTailsAndBatches_asAnIndependentSimulationOfEvents(double utilisation, int duplicates, int batch) {
        double[] sample = sample(HEAVY);
        double tau = percentile(sample, 0.9);
        double rate = utilisation * 1e3 / HEAVY.meanMillis();
        double oracle = EventOracle.level(sample, tau, duplicates, rate, batch, Traffic.ServerStalls.NONE, 3);
        assertThat(level(HEAVY, tau, duplicates, new Traffic(rate, batch, 0, Traffic.ServerStalls.NONE)))
                .isCloseTo(oracle, within(ACCURACY));
    }

    static Stream<Arguments> stalls() {
        return Effort.first(
                2,
                Arguments.of(0.6, 2, 0.5),
                Arguments.of(0.25, 4, 0),
                Arguments.of(0.25, 4, 1),
                Arguments.of(0.25, 1, 0),
                Arguments.of(0.25, 4, 0.5));
    }

    @ParameterizedTest
    @MethodSource("stalls")
    void stallsOfOneAndOfAllDuplicates_asAnIndependentSimulationOfEvents(
            double utilisation, int duplicates, double shared) {
        double rate = utilisation * 1e3 / EXPONENTIAL.meanMillis();
        Traffic.ServerStalls stalls = new Traffic.ServerStalls(1_000, 60, shared);
        assertThat(level(EXPONENTIAL, 30, duplicates, new Traffic(rate, 1, 0, stalls)))
                .isCloseTo(
                        EventOracle.level(sample(EXPONENTIAL), 30, duplicates, rate, 1, stalls, 5), within(ACCURACY));
    }

    private static double[] shuffled(double[] values) {
        List<Double> list = new ArrayList<>(Arrays.stream(values).boxed().toList());
        Collections.shuffle(list, new Random(1));
        return list.stream().mapToDouble(value -> value).toArray();
    }

    /** Runs of 20 slow requests; shuffled, the same times would wait far less. */
    @Test
    void samplesThatComeInRunsKeepThem() {
        double[] runs = new double[40_000];
        SplittableRandom random = new SplittableRandom(1);
        for (int i = 0; i < runs.length; ) {
            int length = 1 + random.nextInt(39);
            double millis = random.nextDouble() < 0.1 ? 40 : 2;
            for (int end = Math.min(runs.length, i + length); i < end; i++) {
                runs[i] = millis;
            }
        }
        double[] shuffled = shuffled(runs);
        ServiceTimes inRuns = ServiceTimes.measured(runs);
        assertThat(inRuns.comeInRuns()).isTrue();
        assertThat(ServiceTimes.measured(shuffled).comeInRuns()).isFalse();
        Arrays.sort(runs);
        assertThat(ServiceTimes.measured(runs).comeInRuns()).isFalse();
        double once = level(inRuns, 50, 1, busy(inRuns, 0.5));
        assertThat(level(ServiceTimes.measured(shuffled), 50, 1, busy(inRuns, 0.5)))
                .isGreaterThan(once + 0.05);
    }

    /** Each request starts a run of 20 of 30 ms in one of 200 cases; the others take 2 ms on average. */
    private static double[] runsOf20(int count, long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        double[] millis = new double[count];
        int slow = 0;
        for (int i = 0; i < count; i++) {
            slow = random.nextInt(200) == 0 ? 20 : slow - 1;
            millis[i] = slow > 0 ? 30 : -2 * Math.log(1 - random.nextDouble());
        }
        return millis;
    }

    @Test
    void oneOutlierHidesNoRuns_andShufflesHaveNone() {
        for (int seed = 0; seed < Effort.of(20, 400); seed++) {
            double[] millis = runsOf20(4_000, seed);
            assertThat(ServiceTimes.measured(millis).comeInRuns()).isTrue();
            millis[0] = 3_000;
            assertThat(ServiceTimes.measured(millis).comeInRuns()).isTrue();
            assertThat(ServiceTimes.measured(shuffled(millis)).comeInRuns()).isFalse();
        }
    }

    /** The truth is of the process that made the samples, from many of its times. */
    @Test
    void theIntervalOfSamplesInRunsHoldsTheTruthOfTheirProcess() {
        double perSecond = 0.3
                * 1e3
                / ServiceTimes.measured(runsOf20(TIMES_OF_THE_PROCESS, 99)).meanMillis();
        for (int duplicates = 2; duplicates <= Effort.of(2, 4); duplicates++) {
            double truth = levelOfProcess(duplicates, 5, perSecond);
            int holds = 0;
            int files = Effort.of(6, 100);
            for (int seed = 0; seed < files; seed++) {
                Mix mix = SimulatedQueues.mix(
                        List.of(ServiceTimes.measured(runsOf20(4_000, seed))),
                        5,
                        1,
                        duplicates,
                        Traffic.poisson(perSecond, 0),
                        seed);
                holds += Math.abs(mix.serviceLevel() - truth) <= mix.halfWidth() ? 1 : 0;
                assertThat(mix.halfWidth()).isLessThan(0.1);
            }
            assertThat(holds).isGreaterThanOrEqualTo(83 * files / 100);
        }
    }

    /** The interval is for the samples; those of other seeds are of the same samples. */
    @Test
    void samplesInRunsGiveOtherSeedsTheSameLevel() {
        ServiceTimes times = ServiceTimes.measured(runsOf20(4_000, 3));
        double[] levels = IntStream.range(0, Effort.of(3, 12))
                .mapToDouble(seed -> SimulatedQueues.mix(List.of(times), 5, 1, 2, busy(times, 0.3), seed)
                        .serviceLevel())
                .toArray();
        assertThat(Arrays.stream(levels).max().orElseThrow()
                        - Arrays.stream(levels).min().orElseThrow())
                .isLessThan(0.03);
    }

    /** Of servers whose times are drawn from the process itself, by Lindley's recursion. */
    private static double levelOfProcess(int duplicates, double tau, double perSecond) {
        int requests = TIMES_OF_THE_PROCESS;
        double[] arrivals = new double[requests];
        SplittableRandom random = new SplittableRandom(17);
        double now = 0;
        for (int i = 0; i < requests; i++) {
            now -= 1e3 / perSecond * Math.log(1 - random.nextDouble());
            arrivals[i] = now;
        }
        boolean[] inTime = new boolean[requests];
        for (int server = 0; server < duplicates; server++) {
            double[] millis = runsOf20(requests, 1_000 + server);
            double free = 0;
            for (int i = 0; i < requests; i++) {
                free = Math.max(free, arrivals[i]) + millis[i];
                inTime[i] |= free <= arrivals[i] + tau;
            }
        }
        return IntStream.range(0, requests).filter(i -> inTime[i]).count() / (double) requests;
    }

    @Test
    void withoutWaitsItIsTheFormula() {
        Traffic rare = Traffic.poisson(0.001, 0.5);
        for (int duplicates : new int[] {1, 3, 8}) {
            assertThat(level(EXPONENTIAL, 15, duplicates, rare))
                    .isCloseTo(
                            Zoolander.mix(EXPONENTIAL, 15, 1, duplicates, 0, 0.5)
                                    .serviceLevel(),
                            within(1e-4));
        }
    }

    @Test
    void overloadedDuplicatesContributeNothing_andTheOthersTheirShare() {
        ServiceTimes slow = ServiceTimes.measured(1_000);
        Traffic traffic = Traffic.poisson(20, 0);
        assertThat(level(slow, 1e6, 3, traffic)).isZero();
        Mix mix = SimulatedQueues.mix(List.of(slow, EXPONENTIAL), 20, 1, 2, traffic, 7);
        assertThat(mix.shares().get(0)).isZero();
        assertThat(mix.serviceLevel()).isCloseTo(1 - Math.exp(-0.8 * 2), within(0.01));
        assertThat(mix.shares().get(1)).isCloseTo(mix.serviceLevel(), within(1e-9));
    }

    @Test
    void theSameSeedGivesTheSameLevel_andItsIntervalHoldsTheTruth() {
        Traffic half = busy(EXPONENTIAL, 0.5);
        int holds = 0;
        int runs = Effort.of(10, 100);
        for (int seed = 0; seed < runs; seed++) {
            Mix mix = SimulatedQueues.mix(List.of(EXPONENTIAL), 20, 1, 1, half, seed);
            holds += Math.abs(mix.serviceLevel() - (1 - Math.exp(-1))) <= mix.halfWidth() ? 1 : 0;
            assertThat(mix.halfWidth()).isLessThan(0.005);
        }
        assertThat(holds).isGreaterThanOrEqualTo(88 * runs / 100);
        assertThat(level(EXPONENTIAL, 20, 2, half)).isEqualTo(level(EXPONENTIAL, 20, 2, half));
    }

    @Test
    void refusesWhatCannotBe() {
        assertThatThrownBy(() -> level(CONSTANT, 5, 1, Traffic.poisson(0, 0)))
                .hasMessageContaining("arrivalsPerSecond is 0");
        assertThatThrownBy(() -> new Traffic(1, 0, 0, Traffic.ServerStalls.NONE))
                .hasMessageContaining("batch");
        assertThatThrownBy(() -> new Traffic.ServerStalls(0, 1, 0)).hasMessageContaining("everyMillis");
        assertThatThrownBy(() -> new Traffic.ServerStalls(1, 1, 1.1)).hasMessageContaining("shared");
        assertThatThrownBy(() -> level(CONSTANT, 5, 1, new Traffic(1e-6, 1, 0, new Traffic.ServerStalls(1, 1, 0))))
                .hasMessageContaining("everyMillis is 1.0");
    }

    private static double[] sample(ServiceTimes times) {
        return IntStream.range(0, 20_000).mapToDouble(times::at).toArray();
    }

    private static double percentile(double[] ascending, double share) {
        return ascending[(int) (share * ascending.length)];
    }

    /**
     * Counts requests in time in a simulation of events on another principle than the product's: servers hold work that
     * a clock of events works off; a stall is an event that stops it.
     */
    private static final class EventOracle {
        private record Event(double at, int kind, int server) {}

        private static final int ARRIVAL = 0;
        private static final int STALL = 1;
        private static final int RESUME = 2;
        private static final int REQUESTS = 300_000;

        static double level(
                double[] sample,
                double tau,
                int duplicates,
                double perSecond,
                int batch,
                Traffic.ServerStalls stalls,
                long seed) {
            Random random = new Random(seed);
            PriorityQueue<Event> events = new PriorityQueue<>((a, b) -> Double.compare(a.at(), b.at()));
            events.add(new Event(0, ARRIVAL, -1));
            boolean stalling = stalls.lengthMillis() > 0;
            for (int server = -1; stalling && server < duplicates; server++) {
                double share = server < 0 ? stalls.shared() : 1 - stalls.shared();
                if (share > 0) {
                    events.add(new Event(exponential(random, stalls.everyMillis() / share), STALL, server));
                }
            }
            int[] stopped = new int[duplicates];
            double[] reached = new double[duplicates];
            List<java.util.ArrayDeque<double[]>> queues = IntStream.range(0, duplicates)
                    .mapToObj(i -> new java.util.ArrayDeque<double[]>())
                    .toList();
            boolean[] inTime = new boolean[REQUESTS];
            int arrived = 0;
            double last = 0;
            while (arrived < REQUESTS || events.peek().at() < last + 100 * tau) {
                Event event = events.remove();
                for (int server = 0; server < duplicates; server++) {
                    double now = reached[server];
                    while (stopped[server] == 0 && !queues.get(server).isEmpty()) {
                        double[] head = queues.get(server).peek();
                        if (now + head[1] > event.at()) {
                            head[1] -= event.at() - now;
                            break;
                        }
                        now += head[1];
                        inTime[(int) head[2]] |= now <= head[0] + tau;
                        queues.get(server).remove();
                    }
                    reached[server] = event.at();
                }
                double share = event.server() < 0 ? stalls.shared() : 1 - stalls.shared();
                if (event.kind() == ARRIVAL) {
                    for (int i = 0; i < batch && arrived < REQUESTS; i++, arrived++) {
                        for (int server = 0; server < duplicates; server++) {
                            double millis = sample[random.nextInt(sample.length)];
                            queues.get(server).add(new double[] {event.at(), millis, arrived});
                        }
                    }
                    last = event.at();
                    if (arrived < REQUESTS) {
                        events.add(new Event(event.at() + exponential(random, 1e3 * batch / perSecond), ARRIVAL, -1));
                    } else if (!stalling) {
                        events.add(new Event(last + 200 * tau, RESUME, -2));
                    }
                } else {
                    int by = event.kind() == STALL ? 1 : -1;
                    for (int server = 0; server < duplicates; server++) {
                        stopped[server] += event.server() < 0 || event.server() == server ? by : 0;
                    }
                    events.add(
                            event.kind() == STALL
                                    ? new Event(
                                            event.at() + exponential(random, stalls.lengthMillis()),
                                            RESUME,
                                            event.server())
                                    : new Event(
                                            event.at() + exponential(random, stalls.everyMillis() / share),
                                            STALL,
                                            event.server()));
                }
            }
            int good = 0;
            for (boolean one : inTime) {
                good += one ? 1 : 0;
            }
            return (double) good / REQUESTS;
        }

        private static double exponential(Random random, double mean) {
            return -mean * Math.log(1 - random.nextDouble());
        }
    }
}
