package io.kipimo.loadgen.generator;

import io.kipimo.loadgen.workload.RequestOutcome;
import io.kipimo.schemas.rating.ExperimentCounts;
import io.kipimo.schemas.rating.ExperimentCountsBuilder;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.DoubleAdder;
import java.util.concurrent.atomic.LongAdder;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.Recorder;

/**
 * Counts requests as they end, on any thread. For figures of which one is part of another, it counts the part after the
 * whole and reads it before the whole. So a part never exceeds its whole.
 */
final class Counting {
    static final int DIGITS = 3;

    /** Least lag with which a request left late, as a share of the latency bound. */
    private static final double LATE = 0.1;

    private final long boundMicros;
    private final LongAdder requests = new LongAdder();
    private final LongAdder fromSending = new LongAdder();
    private final LongAdder within = new LongAdder();
    private final LongAdder errors = new LongAdder();
    private final LongAdder late = new LongAdder();
    private final LongAdder lateErrors = new LongAdder();
    private final LongAdder reads = new LongAdder();
    private final LongAdder unpredictable = new LongAdder();
    private final LongAdder scored = new LongAdder();
    private final DoubleAdder quality = new DoubleAdder();
    private final LongAdder answered = new LongAdder();
    private final AtomicLong pending = new AtomicLong();
    private final Recorder latencies = new Recorder(DIGITS);
    private final Recorder lags = new Recorder(DIGITS);
    private volatile boolean closed;

    Counting(long boundMicros) {
        this.boundMicros = boundMicros;
    }

    /** Records that a request which counts is about to be sent. */
    void begun() {
        pending.incrementAndGet();
    }

    /**
     * Counts a request that has ended.
     *
     * @param lagMicros part of {@code latencyMicros} before the request left the generator
     */
    void ended(long latencyMicros, long lagMicros, RequestOutcome outcome) {
        if (closed) {
            return;
        }
        pending.decrementAndGet();
        requests.increment();
        lags.recordValue(Math.max(0, lagMicros));
        boolean leftLate = lagMicros > boundMicros * LATE;
        if (leftLate) {
            late.increment();
        }
        if (outcome.failed()) {
            errors.increment();
            if (leftLate) {
                lateErrors.increment();
            }
        } else {
            latencies.recordValue(Math.max(0, latencyMicros));
            if (latencyMicros - lagMicros <= boundMicros) {
                fromSending.increment();
            }
            if (latencyMicros <= boundMicros) {
                within.increment();
            }
        }
        if (outcome.read()) {
            reads.increment();
            if (outcome.unpredictable()) {
                unpredictable.increment();
            }
        }
        if (!Double.isNaN(outcome.quality())) {
            scored.increment();
            quality.add(outcome.quality());
        }
    }

    /** Counts a request that was answered in the measured time. */
    void answered() {
        answered.increment();
    }

    /** Number of requests that left the generator late. */
    long late() {
        return late.sum();
    }

    /** Number of requests that left the generator late and failed. */
    long lateErrors() {
        return lateErrors.sum();
    }

    long pending() {
        return pending.get();
    }

    /** Ends counting; requests that have not ended count as failed. */
    void close() {
        closed = true;
        long unended = Math.max(0, pending.get());
        requests.add(unended);
        errors.add(unended);
    }

    ExperimentCounts counts() {
        double sum = quality.sum();
        long parts = unpredictable.sum();
        long inTime = within.sum();
        long inTimeFromSending = fromSending.sum();
        long failed = errors.sum();
        long validated = reads.sum();
        long ratedAnswers = scored.sum();
        long served = answered.sum();
        return ExperimentCountsBuilder.builder()
                .requests(requests.sum())
                .within(inTime)
                .errors(failed)
                .reads(validated)
                .unpredictable(parts)
                .scored(ratedAnswers)
                .qualitySum(Math.min(sum, (double) ratedAnswers))
                .answered(served)
                .withinFromSending(Math.max(inTime, inTimeFromSending))
                .build();
    }

    /** Latencies in microseconds. The method may be called once. */
    Histogram latencies() {
        return latencies.getIntervalHistogram();
    }

    /** The 99th percentile of the lag of requests that have left. The method may be called once. */
    long lagMicros() {
        return lags.getIntervalHistogram().getValueAtPercentile(99);
    }
}
