package io.kipimo.loadgen.generator;

import io.kipimo.loadgen.workload.RequestOutcome;
import io.kipimo.loadgen.workload.Workload;
import io.kipimo.loadgen.workload.Workload.Session;
import io.kipimo.schemas.rating.ExperimentCounts;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * One running experiment. Its own thread keeps the time; requests end on the workload's threads.
 *
 * <p>A request counts if its intended start lies in the measured time, even if it ends later. So stalls of the target
 * count. At the end the run waits for open requests; requests that still do not end have failed. {@link #close} ends
 * the run at once.
 */
public abstract class LoadRun implements AutoCloseable {
    /** Shortest wait for requests that are open at the end. */
    private static final long LEAST_DRAIN_NANOS = TimeUnit.SECONDS.toNanos(1);

    /** Longest wait for requests that are open at the end. */
    private static final long MOST_DRAIN_NANOS = TimeUnit.SECONDS.toNanos(10);

    private static final long DRAIN_CHECK_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    final Workload workload;
    final RunSettings settings;
    final Counting counting;
    final long startNanos;
    final long measureFromNanos;
    final long endNanos;
    private final long measureFromMillis;
    private final CompletableFuture<LoadMeasurement> result = new CompletableFuture<>();
    private final Thread thread;
    private volatile SelfWatch watch;
    private volatile long stoppedAtNanos = Long.MAX_VALUE;
    private volatile boolean abandoned;

    LoadRun(Workload workload, RunSettings settings, String name) {
        this.workload = workload;
        this.settings = settings;
        this.counting = new Counting(settings.boundMicros());
        this.startNanos = System.nanoTime();
        this.measureFromNanos = startNanos + TimeUnit.MILLISECONDS.toNanos(settings.warmUpMillis());
        this.endNanos = measureFromNanos + TimeUnit.MILLISECONDS.toNanos(settings.millis());
        this.measureFromMillis = System.currentTimeMillis() + settings.warmUpMillis();
        this.thread = new Thread(this::run, name);
        thread.setDaemon(true);
    }

    /** Starts to load {@code workload}; the caller closes it afterwards. */
    public static LoadRun start(Workload workload, RunSettings settings) {
        Load part = settings.load().part(settings.share());
        LoadRun run = part instanceof Load.Open open
                ? new OpenRun(workload, settings, open)
                : new ClosedRun(workload, settings, (Load.Closed) part);
        run.thread.start();
        return run;
    }

    /** Generates the load until {@link #endsNanos()}. The run's thread calls it. */
    abstract void impose() throws InterruptedException;

    /** The reason why the load was lower than requested; empty if it was not. */
    abstract String bottleneck(double ownCpu);

    /** Stops the sessions: no further request begins. */
    abstract void release();

    /** Counts of all requests so far. */
    public ExperimentCounts counts() {
        return counting.counts();
    }

    /** Length of the measured time so far, 0 or more. */
    public long measuredMillis() {
        long until = Math.min(System.nanoTime(), endsNanos());
        return Math.max(0, TimeUnit.NANOSECONDS.toMillis(until - measureFromNanos));
    }

    /**
     * Time in milliseconds since the result became due; 0: it is not due, or it is there. It is due when the load has
     * ended and the longest wait for open requests is over. Above 0, a workload that promised not to block has blocked
     * the generator.
     */
    public long overdueMillis() {
        long due = endsNanos() + drainNanos();
        return result.isDone() ? 0 : Math.max(0, TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - due));
    }

    /** Time in milliseconds until the load ends. */
    public long remainingMillis() {
        return Math.max(0, TimeUnit.NANOSECONDS.toMillis(endsNanos() - System.nanoTime()));
    }

    /** Ends the load now; the result covers the time so far. */
    public void stop() {
        stoppedAtNanos = Math.min(stoppedAtNanos, System.nanoTime());
        LockSupport.unpark(thread);
    }

    /** The measurement, available when open requests have ended too. */
    public CompletableFuture<LoadMeasurement> result() {
        return result;
    }

    /** Ends the load without waiting for open requests. */
    @Override
    public void close() {
        abandoned = true;
        stop();
    }

    final long endsNanos() {
        return Math.min(endNanos, stoppedAtNanos);
    }

    final boolean isMeasured(long nanos) {
        return nanos >= measureFromNanos && nanos < endsNanos();
    }

    /** Sleeps until {@code dueNanos} or the end of the load. Returns true if {@code dueNanos} came first. */
    final boolean await(long dueNanos) throws InterruptedException {
        boolean isDue = OpenLoop.await(dueNanos, this::endsNanos);
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
        return isDue;
    }

    /** Sends a session's next request. If the session breaks its contract, the run ends. */
    final CompletionStage<RequestOutcome> ask(Session session) {
        try {
            return Objects.requireNonNull(session.request(), "a request has no answer to wait for");
        } catch (RuntimeException | LinkageError e) {
            return CompletableFuture.completedFuture(broken(e));
        }
    }

    /** Outcome of a request, from the two arguments that {@code whenComplete} gives. */
    final RequestOutcome outcome(RequestOutcome told, Throwable failure) {
        if (failure != null) {
            return RequestOutcome.FAILED;
        }
        return told == null ? broken(new NullPointerException("a request has no outcome")) : told;
    }

    private RequestOutcome broken(Throwable fault) {
        result.completeExceptionally(fault);
        close();
        return RequestOutcome.FAILED;
    }

    private void run() {
        watch = new SelfWatch();
        try {
            impose();
            double ownCpu = watch.ownCpu();
            drain();
            counting.close();
            ExperimentCounts counts = counting.counts().plus(workload.findings());
            result.complete(new LoadMeasurement(
                    measureFromMillis,
                    measuredMillis(),
                    counts,
                    counting.latencies(),
                    counting.lagMicros(),
                    ownCpu,
                    bottleneck(ownCpu),
                    stoppedAtNanos < endNanos));
        } catch (InterruptedException e) {
            result.completeExceptionally(e);
        } catch (RuntimeException | Error e) {
            result.completeExceptionally(e);
        } finally {
            release();
        }
    }

    private long drainNanos() {
        return Math.max(
                LEAST_DRAIN_NANOS,
                Math.min(MOST_DRAIN_NANOS, TimeUnit.MICROSECONDS.toNanos(2 * settings.boundMicros())));
    }

    private void drain() {
        long until = System.nanoTime() + drainNanos();
        while (!abandoned && counting.pending() > 0 && System.nanoTime() < until) {
            LockSupport.parkNanos(DRAIN_CHECK_NANOS);
        }
    }
}
