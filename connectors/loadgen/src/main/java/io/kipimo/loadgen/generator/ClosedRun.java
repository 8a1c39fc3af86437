package io.kipimo.loadgen.generator;

import io.kipimo.loadgen.workload.RequestOutcome;
import io.kipimo.loadgen.workload.Seeds;
import io.kipimo.loadgen.workload.Workload;
import io.kipimo.loadgen.workload.Workload.Session;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;

/**
 * A closed load: each user sends a request, waits for the answer, thinks, and repeats. Users of a blocking workload
 * have a thread each. Users of other workloads share one thread, on which they think.
 */
final class ClosedRun extends LoadRun {
    private final Load.Closed load;
    private final ScheduledExecutorService thinking =
            Executors.newSingleThreadScheduledExecutor(task -> daemon(task, "loadgen-thinking"));
    private final List<ClosedUser> users = new ArrayList<>();
    private final LongAdder waitingMicros = new LongAdder();
    private final LongAdder cycleMicros = new LongAdder();
    private ExecutorService threads;

    ClosedRun(Workload workload, RunSettings settings, Load.Closed load) {
        super(workload, settings, "loadgen-closed");
        this.load = load;
    }

    private static Thread daemon(Runnable task, String name) {
        Thread thread = new Thread(task, name);
        thread.setDaemon(true);
        return thread;
    }

    @Override
    void impose() throws InterruptedException {
        for (int i = 0; i < load.users(); i++) {
            users.add(new ClosedUser(settings.share().user(i)));
        }
        if (workload.blocking() && load.users() > 0) {
            threads = Executors.newFixedThreadPool(load.users(), task -> daemon(task, "loadgen-user"));
            users.forEach(user -> threads.execute(() -> user.send(System.nanoTime())));
        } else {
            users.forEach(user -> user.send(System.nanoTime()));
        }
        await(Long.MAX_VALUE);
    }

    @Override
    String bottleneck(double ownCpu) {
        return SelfWatch.ofClosed((double) waitingMicros.sum(), (double) cycleMicros.sum(), ownCpu);
    }

    @Override
    void release() {
        thinking.shutdownNow();
        if (threads != null) {
            threads.shutdownNow();
        } else {
            users.forEach(user -> user.session.close());
        }
    }

    /** One user; used by one thread at a time. */
    private final class ClosedUser {
        private final Session session;
        private final SplittableRandom random;

        ClosedUser(long number) {
            session = workload.session(number, settings.seed());
            random = Seeds.random(settings.seed(), number);
        }

        /** Sends requests from {@code dueNanos} on, in a loop while answers arrive immediately. */
        void send(long dueNanos) {
            long due = dueNanos;
            while (System.nanoTime() < endsNanos()) {
                boolean counted = isMeasured(due);
                if (counted) {
                    counting.begun();
                }
                long begun = System.nanoTime();
                CompletableFuture<RequestOutcome> request = ask(session).toCompletableFuture();
                if (!request.isDone()) {
                    long intended = due;
                    var unused = request.whenComplete((outcome, failure) -> {
                        long next = end(intended, begun, counted, outcome(outcome, failure));
                        askAt(next);
                    });
                    return;
                }
                RequestOutcome outcome =
                        request.isCompletedExceptionally() ? RequestOutcome.FAILED : outcome(request.join(), null);
                due = end(due, begun, counted, outcome);
                if (threads == null && due > System.nanoTime()) {
                    askAt(due);
                    return;
                }
                if (threads != null && !sleepUntil(due)) {
                    break;
                }
            }
            if (threads != null) {
                session.close();
            }
        }

        private boolean sleepUntil(long nanos) {
            try {
                TimeUnit.NANOSECONDS.sleep(Math.max(0, nanos - System.nanoTime()));
                return true;
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return false;
            }
        }

        private void askAt(long nextNanos) {
            long wait = nextNanos - System.nanoTime();
            if (wait <= 0) {
                send(nextNanos);
            } else {
                try {
                    var unused = thinking.schedule(() -> send(nextNanos), wait, TimeUnit.NANOSECONDS);
                } catch (RejectedExecutionException e) {
                    // The run has ended.
                    return;
                }
            }
        }

        /**
         * Counts a request that has ended. Returns the time at which the user sends the next one,
         * {@link System#nanoTime}.
         */
        private long end(long due, long begun, boolean counted, RequestOutcome outcome) {
            long now = System.nanoTime();
            long lag = TimeUnit.NANOSECONDS.toMicros(Math.max(0, begun - due)) + session.lagMicros();
            long latency = TimeUnit.NANOSECONDS.toMicros(now - due);
            if (counted) {
                counting.ended(latency, lag, outcome);
                waitingMicros.add(lag);
                cycleMicros.add(Math.max(1, latency));
            }
            if (!outcome.failed() && isMeasured(now)) {
                counting.answered();
            }
            double think = session.thinkMicros() - load.thinkMicros() * Math.log1p(-random.nextDouble());
            return now + (long) (1e3 * think);
        }
    }
}
