package io.kipimo.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class CombinedCallsTest {
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    private final ExecutorService threads = Executors.newCachedThreadPool();

    @AfterEach
    void stop() {
        threads.shutdownNow();
    }

    @Test
    void whoComesWhileACallIsUnderWayIsInTheNextOne() throws Exception {
        List<List<Integer>> made = new ArrayList<>();
        CountDownLatch isUnderWay = new CountDownLatch(1);
        CountDownLatch mayEnd = new CountDownLatch(1);
        CombinedCalls<Integer> calls =
                new CombinedCalls<>(
                        parts -> {
                            made.add(List.copyOf(parts));
                            isUnderWay.countDown();
                            awaitUninterrupted(mayEnd);
                        });
        Future<?> first = threads.submit(() -> calls.make(0));
        isUnderWay.await();
        AtomicInteger came = new AtomicInteger();
        List<Thread> others = new ArrayList<>();
        for (int i = 1; i <= 5; i++) {
            int part = i;
            Thread other =
                    new Thread(
                            () -> {
                                calls.make(part);
                                came.incrementAndGet();
                            });
            others.add(other);
            other.start();
        }
        await().atMost(PATIENCE)
                .until(() -> others.stream().allMatch(t -> t.getState() == Thread.State.WAITING));
        assertThat(came).hasValue(0);
        mayEnd.countDown();
        first.get();
        for (Thread other : others) {
            other.join();
        }
        assertThat(made).hasSize(2);
        assertThat(made.get(0)).containsExactly(0);
        assertThat(made.get(1)).containsExactlyInAnyOrder(1, 2, 3, 4, 5);
    }

    @Test
    void everyPartOfManyThreadsIsInOneCallAndNeverTwoAtOnce() throws Exception {
        AtomicInteger underWay = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        List<Integer> made = new ArrayList<>();
        CombinedCalls<Integer> calls =
                new CombinedCalls<>(
                        parts -> {
                            most.accumulateAndGet(underWay.incrementAndGet(), Math::max);
                            made.addAll(parts);
                            underWay.decrementAndGet();
                        });
        List<Future<?>> all = new ArrayList<>();
        for (int thread = 0; thread < 8; thread++) {
            int from = thread * 2_000;
            all.add(
                    threads.submit(
                            () -> {
                                for (int i = 0; i < 2_000; i++) {
                                    calls.make(from + i);
                                }
                            }));
        }
        for (Future<?> one : all) {
            one.get();
        }
        assertThat(most).hasValue(1);
        assertThat(made).hasSize(16_000).doesNotHaveDuplicates();
    }

    @Test
    void aFailureIsToldToAllOfItsCallAndToNoOther() throws Exception {
        CombinedCalls<Integer> calls =
                new CombinedCalls<>(
                        parts -> {
                            if (parts.contains(13)) {
                                throw new IllegalStateException("thirteen");
                            }
                        });
        Future<?> failing = threads.submit(() -> calls.make(13));
        assertThatThrownBy(failing::get)
                .isInstanceOf(ExecutionException.class)
                .hasRootCauseMessage("thirteen");
        calls.make(14);
    }

    private static void awaitUninterrupted(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
