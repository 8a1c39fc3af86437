package io.kipimo.sdk;

import io.kipimo.core.tails.LatencySketch;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Recorder;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Threads;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Cost of reporting a request: arrival, departure and latency. For comparison: reading the clock twice, and
 * HdrHistogram's recorder, which has latencies only, without counts and number in service.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class ServerReporterBenchmark {
    private static final long LONGEST_MICROS = 3_600_000_000L;

    private final ServerReporter reporter = new ServerReporter(
            ServerIdentity.server("search", "index", "shard-1", "a", 2),
            System::nanoTime,
            observation -> {},
            1_700_000_000_000L);
    private final Recorder recorder = new Recorder(LONGEST_MICROS, 2);
    private final LatencySketch unshared = new LatencySketch();

    @Benchmark
    public void reporter() {
        reporter.completed(reporter.arrived());
    }

    @Benchmark
    @Threads(2)
    public void reporterOfTwoThreads() {
        reporter.completed(reporter.arrived());
    }

    @Benchmark
    public void hdrHistogramRecorder() {
        long arrival = System.nanoTime();
        recorder.recordValue((System.nanoTime() - arrival) / 1000);
    }

    @Benchmark
    @Threads(2)
    public void hdrHistogramRecorderOfTwoThreads() {
        long arrival = System.nanoTime();
        recorder.recordValue((System.nanoTime() - arrival) / 1000);
    }

    @Benchmark
    public long timeTwice() {
        long arrival = System.nanoTime();
        return (System.nanoTime() - arrival) / 1000;
    }

    /** Used by one thread, without synchronization. */
    @Benchmark
    public void timeTwiceAndSketch() {
        long arrival = System.nanoTime();
        unshared.record((System.nanoTime() - arrival) / 1000);
    }
}
