package io.kipimo.loadgen.generator;

import io.kipimo.core.replication.RecordedArrivals;
import io.kipimo.loadgen.workload.RequestOutcome;
import io.kipimo.loadgen.workload.Workload;
import io.kipimo.loadgen.workload.Workload.Session;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * An open load. Each arrival is due at its time in a Poisson process or in a recording. Then a user without an open
 * request sends it.
 */
final class OpenRun extends LoadRun {
    /** Number of users that take turns. More are added when needed. */
    private static final int USERS = 1_000;

    /** Limit of open requests. Requests beyond it fail. */
    private static final int MOST_OPEN = 100_000;

    /** Number of threads for a blocking workload. */
    private static final int MOST_THREADS = 1_024;

    private final double perNano;
    private final SplittableRandom random;

    /** The recorded arrivals; null: a Poisson process. */
    private final RecordedArrivals.ArrivalReader recorded;

    private final Queue<Session> idle = new ConcurrentLinkedQueue<>();
    private final AtomicInteger open = new AtomicInteger();
    private final AtomicLong sent = new AtomicLong();
    private final ExecutorService threads;
    private volatile boolean released;
    private long users;
    private long due;
    private long unsent;

    OpenRun(Workload workload, RunSettings settings, Load.Open load) {
        super(workload, settings, "loadgen-open");
        this.perNano = load.perSecond() / 1e9;
        this.random =
                new SplittableRandom(settings.seed() + 31L * settings.share().index());
        this.recorded =
                workload.arrivals().map(a -> a.somewhere(settings.seed())).orElse(null);
        this.threads = workload.blocking() ? Executors.newFixedThreadPool(MOST_THREADS, OpenRun::daemon) : null;
    }

    private static Thread daemon(Runnable task) {
        Thread thread = new Thread(task, "loadgen-user");
        thread.setDaemon(true);
        return thread;
    }

    @Override
    void impose() throws InterruptedException {
        double dueNanos = startNanos;
        int ahead = settings.share().index();
        while (true) {
            dueNanos += gapNanos(ahead + 1);
            ahead = settings.share().of() - 1;
            long intended = (long) dueNanos;
            if (intended >= endsNanos()) {
                return;
            }
            if (!await(intended) && System.nanoTime() > endsNanos() + graceNanos()) {
                countUnsent(dueNanos);
                return;
            }
            boolean counted = isMeasured(intended);
            if (counted) {
                due++;
                counting.begun();
            }
            if (open.incrementAndGet() > MOST_OPEN) {
                end(null, intended, intended, counted, RequestOutcome.FAILED);
            } else {
                dispatch(user(), intended, counted);
            }
        }
    }

    /**
     * Time to the next arrival, nanoseconds.
     *
     * @param count number of recorded requests to advance by, since generators take them in turn
     */
    private double gapNanos(int count) {
        return recorded == null
                ? -Math.log1p(-random.nextDouble()) / perNano
                : recorded.gaps(count) / settings.share().of() / perNano;
    }

    /** Extra time in nanoseconds for sending requests that were due before the end. */
    private long graceNanos() {
        return (endNanos - measureFromNanos) / 10;
    }

    /** Counts arrivals that were due before the end but could not be sent in time. */
    private void countUnsent(double fromNanos) {
        for (double next = fromNanos;
                next < endsNanos();
                next += gapNanos(settings.share().of())) {
            if (isMeasured((long) next)) {
                due++;
                unsent++;
                // Never sent, so it has failed.
                counting.begun();
            }
        }
    }

    private Session user() {
        Session session = users < USERS ? null : idle.poll();
        Session chosen = session == null ? workload.session(settings.share().user(users++), settings.seed()) : session;
        if (recorded != null) {
            chosen.recorded(recorded.text());
        }
        return chosen;
    }

    private void dispatch(Session session, long intended, boolean counted) {
        if (threads == null) {
            send(session, intended, counted);
        } else {
            threads.execute(() -> send(session, intended, counted));
        }
    }

    private void send(Session session, long intended, boolean counted) {
        long begun = System.nanoTime();
        if (counted && begun < endsNanos()) {
            sent.incrementAndGet();
        }
        ask(session)
                .whenComplete((outcome, failure) -> end(session, intended, begun, counted, outcome(outcome, failure)));
    }

    private void end(Session session, long intended, long begun, boolean counted, RequestOutcome outcome) {
        long now = System.nanoTime();
        long lag = session == null ? 0 : session.lagMicros();
        open.decrementAndGet();
        if (session == null && counted) {
            sent.incrementAndGet();
        }
        if (counted) {
            counting.ended(
                    TimeUnit.NANOSECONDS.toMicros(now - intended),
                    TimeUnit.NANOSECONDS.toMicros(begun - intended) + lag,
                    outcome);
        }
        if (!outcome.failed() && isMeasured(now)) {
            counting.answered();
        }
        if (session != null) {
            idle.add(session);
            if (released) {
                closeIdle();
            }
        }
    }

    @Override
    String bottleneck(double ownCpu) {
        return SelfWatch.ofOpen(
                due,
                sent.get(),
                unsent,
                counting.late(),
                counting.lateErrors(),
                counting.counts().errors(),
                ownCpu);
    }

    @Override
    void release() {
        if (threads != null) {
            threads.shutdownNow();
        }
        released = true;
        closeIdle();
    }

    private void closeIdle() {
        for (Session session = idle.poll(); session != null; session = idle.poll()) {
            session.close();
        }
    }
}
