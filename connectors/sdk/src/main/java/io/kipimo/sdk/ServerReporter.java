package io.kipimo.sdk;

import io.kipimo.core.tails.LatencySketch;
import io.kipimo.schemas.field.Range;
import io.kipimo.schemas.tails.ServerObservation;
import io.kipimo.schemas.tails.ServerObservationBuilder;
import io.kipimo.schemas.tails.Stay;
import io.kipimo.schemas.tails.TrafficCounts;
import io.kipimo.schemas.tails.TrafficCountsBuilder;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * Counts the requests of one server and publishes one {@link ServerObservation} a second, also for seconds without
 * requests. For any number of threads; no thread blocks another.
 *
 * <p>Call {@link #arrived} for every request, then one of {@link #completed}, {@link #timedOut} and {@link #failed}.
 * The time integral of the number of requests in service is computed from sums of the time stamps of arrivals and
 * departures, which each thread adds up separately. Requests that found all cores busy have separate sums. The total
 * less these sums is the busy core time.
 */
public final class ServerReporter {
    /** Consecutive seconds in each minute for which every single stay is published. */
    static final int TRACED_SECONDS = 2;

    private static final int TRACE_PERIOD_SECONDS = 60;

    /** After a pause longer than this, counts from before the pause are discarded. */
    private static final long LONGEST_SECOND_MICROS = 60_000_000;

    /** Longest time of a request, nanoseconds; a longer time counts as this. */
    private static final long LONGEST_STAY_NANOS = 1000 * (long) Range.LONGEST_MICROS;

    private static final int MOST_STRIPES = 64;

    private static final long[] NOTHING = {};

    private final ServerIdentity identity;
    private final LongSupplier nanoTime;
    private final Consumer<ServerObservation> publisher;
    private final Stripe[] stripes;
    private final AtomicLong inService = new AtomicLong();
    private final long traceOffset;
    private final long startEpochMicros;
    private final long startNanos;

    /** Whether single stays are kept. */
    private volatile boolean tracing;

    // Used by the publishing thread alone.
    private Totals before = new Totals();
    private long beforeNanos;
    private long nextSecond;

    /**
     * @param nanoTime a monotonic clock, nanoseconds
     * @param nowMillis start; the second in which it falls is the first one published
     */
    ServerReporter(
            ServerIdentity identity, LongSupplier nanoTime, Consumer<ServerObservation> publisher, long nowMillis) {
        this.identity = identity;
        this.nanoTime = nanoTime;
        this.publisher = publisher;
        int threads = Math.min(MOST_STRIPES, 2 * Runtime.getRuntime().availableProcessors());
        stripes = new Stripe[Integer.highestOneBit(2 * threads - 1)];
        Arrays.setAll(stripes, i -> new Stripe());
        startNanos = nanoTime.getAsLong();
        startEpochMicros = nowMillis * 1000;
        beforeNanos = startNanos;
        nextSecond = Math.floorDiv(nowMillis, 1000);
        // Servers of a tier publish single stays in different seconds.
        traceOffset = Math.floorMod(identity.hashCode(), TRACE_PERIOD_SECONDS);
    }

    /** A reporter that publishes nothing, for use without Kafka. */
    public static ServerReporter silent(ServerIdentity identity) {
        return new ServerReporter(identity, System::nanoTime, observation -> {}, 0);
    }

    /** The server or arbiter that this reports for. */
    public ServerIdentity identity() {
        return identity;
    }

    /**
     * A request arrived.
     *
     * @return time stamp to pass when the request departs
     */
    public long arrived() {
        long nanos = nanoTime.getAsLong();
        boolean allCoresTaken = inService.getAndIncrement() >= identity.cores();
        Stripe stripe = enter();
        stripe.arrivals++;
        stripe.arrivalNanos += nanos;
        if (allCoresTaken) {
            stripe.waiting++;
            stripe.waitingNanos += nanos;
        }
        stripe.leave();
        return nanos;
    }

    /**
     * A request was answered.
     *
     * @param arrival time stamp from {@link #arrived}
     */
    public void completed(long arrival) {
        long nanos = nanoTime.getAsLong();
        Stripe stripe = depart(nanos);
        stripe.latencies.record(Math.min(LONGEST_STAY_NANOS, Math.max(0, nanos - arrival)) / 1000);
        if (tracing) {
            stripe.keepStay(arrival, nanos);
        }
        stripe.leave();
    }

    /** A request timed out. */
    public void timedOut(long arrival) {
        Stripe stripe = depart(nanoTime.getAsLong());
        stripe.timedOut++;
        leaveTraced(stripe, arrival);
    }

    /** A request was answered with an error. */
    public void failed(long arrival) {
        Stripe stripe = depart(nanoTime.getAsLong());
        stripe.failed++;
        leaveTraced(stripe, arrival);
    }

    private void leaveTraced(Stripe stripe, long arrival) {
        // Requests that fail or time out use cores, too.
        if (tracing) {
            stripe.keepStay(arrival, nanoTime.getAsLong());
        }
        stripe.leave();
    }

    /** A connection was opened. */
    public void connectionOpened() {
        Stripe stripe = enter();
        stripe.connections++;
        stripe.leave();
    }

    /**
     * A token was returned.
     *
     * @param heldNanos time since it was handed out, nanoseconds
     */
    public void tokenReturned(long heldNanos) {
        Stripe stripe = enter();
        stripe.tokensReturned++;
        stripe.tokenHeldNanos += Math.max(0, Math.min(LONGEST_STAY_NANOS, heldNanos));
        stripe.leave();
    }

    private Stripe depart(long nanos) {
        boolean othersWait = inService.getAndDecrement() > identity.cores();
        Stripe stripe = enter();
        stripe.departures++;
        stripe.departureNanos += nanos;
        if (othersWait) {
            stripe.waiting--;
            stripe.waitingNanos -= nanos;
        }
        return stripe;
    }

    /** Enters a stripe exclusively: usually the thread's own, else the next free one. */
    private Stripe enter() {
        int mask = stripes.length - 1;
        // Consecutive thread ids get different stripes.
        int at = (int) Thread.currentThread().getId() & mask;
        while (!stripes[at].tryEnter()) {
            at = (at + 1) & mask;
            Thread.onSpinWait();
        }
        return stripes[at];
    }

    /**
     * Publishes the newest closed second, unless it is published already, with all counts since the last call. Called
     * by one thread at a time.
     */
    void publishClosedSecond(long nowMillis) {
        long open = Math.floorDiv(nowMillis, 1000);
        if (open > nextSecond) {
            publish(open - 1);
            nextSecond = open;
        }
    }

    /** Publishes the counts of the second that is still open. */
    void publishOpenSecond(long nowMillis) {
        publishClosedSecond(nowMillis);
        publish(Math.floorDiv(nowMillis, 1000));
        nextSecond = Math.floorDiv(nowMillis, 1000) + 1;
    }

    private void publish(long second) {
        boolean traced = tracing;
        Totals now = new Totals();
        LatencySketch latencies = new LatencySketch();
        List<Stay> stays = new ArrayList<>();
        for (Stripe stripe : stripes) {
            LatencySketch fresh = new LatencySketch();
            while (!stripe.tryEnter()) {
                Thread.onSpinWait();
            }
            now.add(stripe);
            LatencySketch full = stripe.latencies;
            stripe.latencies = fresh;
            traced &= takeStays(stripe, stays);
            stripe.leave();
            if (!full.isEmpty()) {
                latencies.merge(full);
            }
        }
        // Later than all time stamps that were read.
        now.closeAt(nanoTime.getAsLong());
        long observedMicros = (now.atNanos - beforeNanos) / 1000;
        if (observedMicros > 0 && observedMicros <= LONGEST_SECOND_MICROS) {
            publisher.accept(observation(
                    second,
                    now.since(before, latencies.count(), observedMicros, identity),
                    latencies,
                    traced ? stays : List.of()));
        }
        before = now;
        beforeNanos = now.atNanos;
        tracing =
                identity.cores() > 0 && Math.floorMod(second + 1 + traceOffset, TRACE_PERIOD_SECONDS) < TRACED_SECONDS;
    }

    /** Takes a stripe's stays, and returns whether all stays of the second were kept. */
    private boolean takeStays(Stripe stripe, List<Stay> stays) {
        boolean whole = stripe.stays <= Stripe.MOST_STAYS;
        for (int i = 0; whole && i < stripe.stays; i++) {
            stays.add(new Stay(epochMicros(stripe.stayNanos[2 * i]), epochMicros(stripe.stayNanos[2 * i + 1])));
        }
        stripe.stays = 0;
        stripe.stayNanos = NOTHING;
        return whole && stays.size() <= ServerObservation.MOST_STAYS;
    }

    private long epochMicros(long nanos) {
        return startEpochMicros + Math.floorDiv(nanos - startNanos, 1000L);
    }

    private ServerObservation observation(
            long second, TrafficCounts counts, LatencySketch latencies, List<Stay> stays) {
        return ServerObservationBuilder.builder()
                .service(identity.service())
                .tier(identity.tier())
                .component(identity.component())
                .server(identity.server())
                .vantage(identity.vantage())
                .secondMillis(second * 1000)
                .counts(counts)
                .latencies(latencies.toBytes())
                .stays(stays)
                .build();
    }

    /** All counts since the start. Sums of time stamps overflow, but only their differences are used, which do not. */
    private static final class Totals {
        private long arrivals;
        private long departures;
        private long timedOut;
        private long failed;
        private long connections;
        private long tokensReturned;
        private long tokenHeldNanos;
        private long waiting;
        private long stampNanos;
        private long waitingNanos;
        private long atNanos;
        private long inServiceNanos;
        private long waitNanos;

        void add(Stripe stripe) {
            arrivals += stripe.arrivals;
            departures += stripe.departures;
            timedOut += stripe.timedOut;
            failed += stripe.failed;
            connections += stripe.connections;
            tokensReturned += stripe.tokensReturned;
            tokenHeldNanos += stripe.tokenHeldNanos;
            waiting += stripe.waiting;
            stampNanos += stripe.departureNanos - stripe.arrivalNanos;
            waitingNanos += stripe.waitingNanos;
        }

        /** Computes time integrals up to a time. */
        void closeAt(long nanos) {
            atNanos = nanos;
            inServiceNanos = (arrivals - departures) * nanos + stampNanos;
            waitNanos = waiting * nanos - waitingNanos;
        }

        private static long micros(long nanos) {
            return Math.min(ServerObservation.MOST_IN_A_SECOND, Math.max(0, nanos) / 1000);
        }

        TrafficCounts since(Totals before, long completions, long observedMicros, ServerIdentity identity) {
            // A thread that has taken its time stamp but not its stripe counts in the next second,
            // so this integral is slightly too low.
            long inService = micros(inServiceNanos - before.inServiceNanos);
            long waited = Math.max(0, waitNanos - before.waitNanos) / 1000;
            long cores = identity.cores() * observedMicros;
            return TrafficCountsBuilder.builder()
                    .arrivals(arrivals - before.arrivals)
                    .completions(completions)
                    .timedOut(timedOut - before.timedOut)
                    .failed(failed - before.failed)
                    .connections(connections - before.connections)
                    .inServiceMicros(inService)
                    .busyCoreMicros(Math.min(cores, Math.max(0, inService - waited)))
                    .coreMicros(cores)
                    .tokensReturned(tokensReturned - before.tokensReturned)
                    .tokenHeldMicros(micros(tokenHeldNanos - before.tokenHeldNanos))
                    .tokenMicros(identity.tokens() * observedMicros)
                    .observedMicros(observedMicros)
                    .build();
        }
    }

    /** A part of the counts; one thread at a time may enter. */
    private static final class Stripe {
        static final int MOST_STAYS = ServerObservation.MOST_STAYS;

        private static final VarHandle TAKEN;

        static {
            try {
                TAKEN = MethodHandles.lookup().findVarHandle(Stripe.class, "taken", boolean.class);
            } catch (ReflectiveOperationException e) {
                throw new ExceptionInInitializerError(e);
            }
        }

        @SuppressWarnings("unused") // Accessed by its handle.
        private boolean taken;

        private long arrivals;
        private long arrivalNanos;
        private long departures;
        private long departureNanos;
        private long waiting;
        private long waitingNanos;
        private long timedOut;
        private long failed;
        private long connections;
        private long tokensReturned;
        private long tokenHeldNanos;
        private LatencySketch latencies = new LatencySketch();
        private long[] stayNanos = NOTHING;

        /** Number of stays; above {@link #MOST_STAYS}, some were not kept. */
        private int stays;

        boolean tryEnter() {
            return !(boolean) TAKEN.getOpaque(this) && TAKEN.compareAndSet(this, false, true);
        }

        void leave() {
            TAKEN.setRelease(this, false);
        }

        void keepStay(long arrivalNanos, long departureNanos) {
            if (stays >= MOST_STAYS) {
                stays = MOST_STAYS + 1;
                return;
            }
            if (2 * stays == stayNanos.length) {
                stayNanos = Arrays.copyOf(stayNanos, Math.max(128, 2 * stayNanos.length));
            }
            stayNanos[2 * stays] =
                    Math.max(departureNanos - LONGEST_STAY_NANOS, Math.min(arrivalNanos, departureNanos));
            stayNanos[2 * stays + 1] = departureNanos;
            stays++;
        }
    }
}
