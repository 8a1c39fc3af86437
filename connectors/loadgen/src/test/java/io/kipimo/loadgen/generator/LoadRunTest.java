package io.kipimo.loadgen.generator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;

import io.kipimo.core.replication.RecordedArrivals;
import io.kipimo.loadgen.workload.ReplayedTarget;
import io.kipimo.loadgen.workload.RequestOutcome;
import io.kipimo.loadgen.workload.Share;
import io.kipimo.loadgen.workload.Target;
import io.kipimo.loadgen.workload.Workload;
import io.kipimo.schemas.rating.ExperimentCounts;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntPredicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class LoadRunTest {
    private static final long BOUND_MICROS = 100_000;

    private static RunSettings settings(Load load, Share share, long warmUp, long millis) {
        return new RunSettings(load, share, warmUp, millis, BOUND_MICROS, 7);
    }

    private static LoadMeasurement run(Workload workload, RunSettings settings) throws Exception {
        try (LoadRun run = LoadRun.start(workload, settings)) {
            return run.result().get();
        }
    }

    /** A busy machine stalls the generator too; then the figures are not the target's. */
    private static LoadMeasurement withoutBottleneck(Callable<LoadMeasurement> run) throws Exception {
        for (int attempt = 0; attempt < 10; attempt++) {
            LoadMeasurement measured = run.call();
            if (measured.bottleneck().isEmpty()) {
                return measured;
            }
        }
        return abort("this machine is too busy: 10 runs had a bottleneck in the generator");
    }

    @Test
    void openLoadSendsAtItsRate() throws Exception {
        try (QueueingWorkload workload = new QueueingWorkload(100)) {
            LoadMeasurement measured =
                    withoutBottleneck(() -> run(workload, settings(new Load.Open(500), Share.WHOLE, 200, 1_000)));

            // Poisson: 500 within five standard deviations.
            assertThat(measured.counts().requests()).isBetween(390L, 610L);
            assertThat(measured.counts().errors()).isZero();
            assertThat(measured.latencies().getTotalCount())
                    .isEqualTo(measured.counts().requests());
            assertThat(measured.stopped()).isFalse();
        }
    }

    @Test
    void theSameSeedIsTheSameArrivals() throws Exception {
        List<Long> requests = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            try (QueueingWorkload workload = new QueueingWorkload(100)) {
                requests.add(run(workload, settings(new Load.Open(300), Share.WHOLE, 0, 500))
                        .counts()
                        .requests());
            }
        }

        assertThat(requests.get(0)).isEqualTo(requests.get(1));
    }

    /** No coordinated omission: requests that were due during the stall have waited, too. */
    @Test
    void latencyIncludesTheWaitForAStalledTarget() throws Exception {
        try (QueueingWorkload workload = new QueueingWorkload(100)) {
            ExperimentCounts counts =
                    withoutBottleneck(() -> runWithStall(workload, 300, 600)).counts();

            // About 500/s * (600 ms - the bound) are late, not just one.
            assertThat(counts.requests() - counts.within()).isGreaterThan(100);
        }
    }

    private static LoadMeasurement runWithStall(QueueingWorkload workload, long afterMillis, long stallMillis)
            throws Exception {
        try (LoadRun run = LoadRun.start(workload, settings(new Load.Open(500), Share.WHOLE, 0, 1_500))) {
            TimeUnit.MILLISECONDS.sleep(afterMillis);
            workload.stall(stallMillis);
            return run.result().get();
        }
    }

    /** Three generators take the recorded requests in turn, each at its time, from one place on. */
    @Test
    void recordedArrivalsAreReplayedByAllGeneratorsTogether() throws Exception {
        List<RecordedArrivals.RecordedArrival> log = new ArrayList<>();
        for (int i = 0; i < 1_000; i++) {
            log.add(new RecordedArrivals.RecordedArrival(i + 0.5 * (i % 2), "r" + i));
        }
        RecordedArrivals recorded = RecordedArrivals.of(log);
        RecordedArrivals.ArrivalReader reader = recorded.somewhere(7);
        List<String> expected = new ArrayList<>();
        for (double at = reader.gap(); at < 300; at += reader.gap()) {
            expected.add(reader.text());
        }
        List<String> sent = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            String[] asked = {""};
            Workload answering = workload(new Workload.Session() {
                @Override
                public void recorded(String text) {
                    asked[0] = text;
                }

                @Override
                public CompletionStage<RequestOutcome> request() {
                    sent.add(asked[0]);
                    return CompletableFuture.completedFuture(RequestOutcome.ANSWERED);
                }
            });
            try (Target target = new ReplayedTarget(
                            new Target() {
                                @Override
                                public Workload open(Share share) {
                                    return answering;
                                }
                            },
                            recorded);
                    Workload replayed = target.open(Share.WHOLE)) {
                // 300 requests a second of all three, for a second.
                var unused = run(replayed, settings(new Load.Open(300), new Share(i, 3), 0, 1_000));
            }
        }

        // At the end a stalled machine may send less.
        assertThat(sent).doesNotHaveDuplicates().hasSizeGreaterThan(200);
        assertThat(expected).containsAll(sent);
        assertThat(sent.subList(0, 2)).containsExactly(expected.get(0), expected.get(3));
    }

    @Test
    void requestsThatNeverEndCountAsFailed() throws Exception {
        Workload silent = workload(() -> new CompletableFuture<>());
        LoadMeasurement measured = run(silent, settings(new Load.Open(200), Share.WHOLE, 0, 300));

        assertThat(measured.counts().requests()).isPositive();
        assertThat(measured.counts().errors()).isEqualTo(measured.counts().requests());
        assertThat(measured.counts().within()).isZero();
    }

    @Test
    void anOpenLoadGoesOnWithoutAnswersWithoutAThreadARequest() throws Exception {
        int before = Thread.activeCount();
        AtomicInteger most = new AtomicInteger();
        Workload silent = workload(() -> {
            most.accumulateAndGet(Thread.activeCount(), Math::max);
            return new CompletableFuture<>();
        });
        LoadMeasurement measured = run(silent, settings(new Load.Open(5_000), Share.WHOLE, 0, 500));

        assertThat(measured.counts().requests()).isGreaterThan(1_000);
        assertThat(most.get() - before).isLessThan(10);
    }

    @Test
    void closedUsersHaveOneRequestAtATime() throws Exception {
        Set<Long> open = ConcurrentHashMap.newKeySet();
        Set<Long> all = ConcurrentHashMap.newKeySet();
        AtomicInteger twice = new AtomicInteger();
        try (QueueingWorkload queue = new QueueingWorkload(1_000)) {
            Workload workload = new Workload() {
                @Override
                public Session session(long user, long seed) {
                    Session behind = queue.session(user, seed);
                    return () -> {
                        all.add(user);
                        if (!open.add(user)) {
                            twice.incrementAndGet();
                        }
                        CompletableFuture<RequestOutcome> answer = new CompletableFuture<>();
                        behind.request().thenAccept(outcome -> {
                            open.remove(user);
                            answer.complete(outcome);
                        });
                        return answer;
                    };
                }
            };
            LoadMeasurement measured = run(workload, settings(new Load.Closed(8, 0), new Share(1, 2), 100, 500));

            assertThat(twice).hasValue(0);
            // Half of the users, each with its own number.
            assertThat(all).containsExactlyInAnyOrder(1L, 3L, 5L, 7L);
            // One server with 1 ms a request serves at most 1,000/s.
            assertThat(measured.counts().answered()).isBetween(20L, 600L);
        }
    }

    @Test
    void closedUsersThinkBetweenRequests() throws Exception {
        try (QueueingWorkload workload = new QueueingWorkload(10)) {
            LoadMeasurement measured = run(workload, settings(new Load.Closed(10, 100_000), Share.WHOLE, 0, 1_000));

            // Ten users with 100 ms of exponential think time can send about 100 requests.
            assertThat(measured.counts().requests()).isBetween(10L, 180L);
        }
    }

    @Test
    void usersOfABlockingWorkloadHaveTheirThreads() throws Exception {
        Set<String> threads = ConcurrentHashMap.newKeySet();
        Workload blocking = new Workload() {
            @Override
            public Session session(long user, long seed) {
                return () -> {
                    threads.add(Thread.currentThread().getName() + user);
                    try {
                        TimeUnit.MILLISECONDS.sleep(2);
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                    }
                    return CompletableFuture.completedFuture(RequestOutcome.VALID_READ);
                };
            }

            @Override
            public boolean blocking() {
                return true;
            }
        };
        LoadMeasurement closed = run(blocking, settings(new Load.Closed(5, 1_000), Share.WHOLE, 0, 300));
        LoadMeasurement open =
                withoutBottleneck(() -> run(blocking, settings(new Load.Open(200), Share.WHOLE, 0, 300)));

        assertThat(threads.stream().filter(t -> t.startsWith("loadgen-user"))).hasSizeGreaterThanOrEqualTo(5);
        assertThat(closed.counts().reads()).isPositive();
        assertThat(open.counts().errors()).isZero();
    }

    @Test
    void stopReturnsTheMeasurementSoFar() throws Exception {
        try (QueueingWorkload workload = new QueueingWorkload(100);
                LoadRun run = LoadRun.start(workload, settings(new Load.Open(500), Share.WHOLE, 0, 3_600_000))) {
            while (run.counts().requests() < 20) {
                TimeUnit.MILLISECONDS.sleep(5);
            }
            run.stop();
            LoadMeasurement measured = run.result().get();

            assertThat(measured.stopped()).isTrue();
            assertThat(measured.measuredMillis()).isLessThan(60_000);
            assertThat(measured.counts().requests()).isGreaterThanOrEqualTo(20);
            assertThat(measured.counts().errors()).isZero();
        }
    }

    /** A generator whose own threads are busy does not send the requests that are due. */
    @Test
    void aGeneratorThatIsTooSlowReportsABottleneck() throws Exception {
        Workload slow = workload(() -> {
            long until = System.nanoTime() + 10_000_000;
            while (System.nanoTime() < until) {
                Thread.onSpinWait();
            }
            return CompletableFuture.completedFuture(RequestOutcome.ANSWERED);
        });
        LoadMeasurement measured = run(slow, settings(new Load.Open(400), Share.WHOLE, 0, 500));

        assertThat(measured.bottleneck()).contains("requests that were due");
    }

    /**
     * The generator stalls, then sends what was due in a burst, which the target rejects: the load has no such burst.
     */
    @Test
    void errorsAfterTheGeneratorsOwnBurstAreABottleneck() throws Exception {
        LoadMeasurement measured = afterABurst(number -> number > 100 && number <= 200);

        assertThat(measured.counts().errors()).isEqualTo(100);
        assertThat(measured.bottleneck()).contains("errors followed late sending");
    }

    /** A target above its limit, and a busy machine, where nearly all requests leave late. */
    @Test
    void errorsAlsoOfRequestsThatLeftInTimeAreTheTargetsHoweverLateTheOthers() throws Exception {
        LoadMeasurement measured = afterABurst(number -> number % 2 == 0);

        assertThat(measured.counts().errors()).isGreaterThan(100);
        assertThat(measured.bottleneck()).doesNotContain("errors");
        assertThat(SelfWatch.ofOpen(1_000, 1_000, 0, 900, 450, 500, 0)).isEmpty();
    }

    private static LoadMeasurement afterABurst(IntPredicate fails) throws Exception {
        AtomicInteger asked = new AtomicInteger();
        Workload stalling = workload(() -> {
            int number = asked.incrementAndGet();
            if (number == 100) {
                long until = System.nanoTime() + 400_000_000;
                while (System.nanoTime() < until) {
                    Thread.onSpinWait();
                }
            }
            return CompletableFuture.completedFuture(
                    fails.test(number) ? RequestOutcome.FAILED : RequestOutcome.ANSWERED);
        });
        return run(stalling, settings(new Load.Open(500), Share.WHOLE, 0, 1_500));
    }

    /** Known answers: most of the errors, and more than 0.1 % of the requests. */
    @Test
    void errorsOfRequestsThatLeftInTimeAreTheTargets() {
        assertThat(SelfWatch.ofOpen(1_000, 1_000, 0, 30, 25, 50, 0)).isEmpty();
        assertThat(SelfWatch.ofOpen(1_000, 1_000, 0, 30, 26, 50, 0)).isEqualTo("26 of 50 errors followed late sending");
        assertThat(SelfWatch.ofOpen(1_000, 1_000, 0, 500, 0, 50, 0)).isEmpty();
        assertThat(SelfWatch.ofOpen(1_000, 1_000, 0, 1, 1, 1, 0)).isEmpty();
        // All left late: nothing shows that the target fails by itself.
        assertThat(SelfWatch.ofOpen(1_000, 1_000, 0, 1_000, 50, 50, 0)).isNotEmpty();
    }

    @Test
    void aRequestThatBreaksItsContractEndsTheRun() throws Exception {
        List<Workload> broken = List.of(
                workload(() -> {
                    throw new IllegalStateException("rubbish");
                }),
                workload(() -> null),
                workload(() -> CompletableFuture.completedFuture(null)),
                workload(() -> CompletableFuture.supplyAsync(
                        () -> null, CompletableFuture.delayedExecutor(1, TimeUnit.MILLISECONDS))));
        for (Workload workload : broken) {
            for (Load load : List.of(new Load.Open(100), new Load.Closed(2, 1_000))) {
                try (LoadRun run = LoadRun.start(workload, settings(load, Share.WHOLE, 0, 3_600_000))) {
                    assertThat(run.result()).failsWithin(Duration.ofSeconds(30));
                }
            }
        }
    }

    @Test
    void aRequestThatBlocksMakesTheRunOverdue() throws Exception {
        CountDownLatch never = new CountDownLatch(1);
        Workload blocked = workload(() -> {
            try {
                never.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            return CompletableFuture.completedFuture(RequestOutcome.ANSWERED);
        });
        try (LoadRun run = LoadRun.start(blocked, settings(new Load.Open(100), Share.WHOLE, 0, 50))) {
            while (run.overdueMillis() == 0) {
                TimeUnit.MILLISECONDS.sleep(5);
            }
            assertThat(run.result()).isNotDone();
            never.countDown();
            assertThat(run.result()).succeedsWithin(Duration.ofSeconds(30));
            assertThat(run.overdueMillis()).isZero();
        }
    }

    @Test
    void usersThatWaitForTheGeneratorAreABottleneck() throws Exception {
        Workload late = new Workload() {
            @Override
            public Session session(long user, long seed) {
                return new Session() {
                    @Override
                    public CompletionStage<RequestOutcome> request() {
                        CompletableFuture<RequestOutcome> answer = new CompletableFuture<>();
                        answer.completeOnTimeout(RequestOutcome.ANSWERED, 10, TimeUnit.MILLISECONDS);
                        return answer;
                    }

                    @Override
                    public long lagMicros() {
                        return 8_000;
                    }
                };
            }
        };
        LoadMeasurement measured = run(late, settings(new Load.Closed(4, 0), Share.WHOLE, 0, 300));

        assertThat(measured.bottleneck()).contains("of their time for the generator");
    }

    @Test
    void findingsAfterTheRequestsCount() throws Exception {
        try (QueueingWorkload queue = new QueueingWorkload(100)) {
            Workload validating = new Workload() {
                @Override
                public Session session(long user, long seed) {
                    return queue.session(user, seed);
                }

                @Override
                public ExperimentCounts findings() {
                    return ExperimentCounts.of(0, 0, 0, 40, 3, 0, 0);
                }
            };
            LoadMeasurement measured = run(validating, settings(new Load.Open(200), Share.WHOLE, 0, 200));

            assertThat(measured.counts().reads()).isEqualTo(40);
            assertThat(measured.counts().unpredictable()).isEqualTo(3);
        }
    }

    @Test
    void sharesAddUp() throws Exception {
        List<LoadMeasurement> shares = new ArrayList<>();
        Set<Long> users = new HashSet<>();
        try (QueueingWorkload workload = new QueueingWorkload(50)) {
            for (int i = 0; i < 3; i++) {
                shares.add(run(workload, settings(new Load.Open(300), new Share(i, 3), 0, 400)));
                users.add(new Share(i, 3).user(5));
            }
        }
        LoadMeasurement sum = LoadMeasurement.sum(shares);

        assertThat(users).hasSize(3);
        assertThat(sum.counts().requests())
                .isEqualTo(shares.stream().mapToLong(s -> s.counts().requests()).sum());
        assertThat(sum.latencies().getTotalCount())
                .isEqualTo(shares.stream()
                        .mapToLong(s -> s.latencies().getTotalCount())
                        .sum());
    }

    private static Workload workload(Workload.Session session) {
        return (user, seed) -> session;
    }
}
