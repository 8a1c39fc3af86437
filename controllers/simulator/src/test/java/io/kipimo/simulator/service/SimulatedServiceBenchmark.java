package io.kipimo.simulator.service;

import io.kipimo.simulator.engine.Engine;
import io.kipimo.simulator.faults.FaultPlan;
import io.kipimo.simulator.workload.Arrivals;
import io.kipimo.simulator.workload.ClassArrivals;
import io.kipimo.simulator.workload.Distribution;
import io.kipimo.simulator.workload.QueryKind;
import io.kipimo.simulator.workload.QueryKindMix;
import io.kipimo.simulator.workload.RateCurve;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.AuxCounters;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** Simulated component executions a second on one core; the aim is a million. */
@State(Scope.Thread)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 5, time = 2)
@Fork(
        value = 1,
        jvmArgsAppend = {"-XX:+UseSerialGC", "-Xmx1g"})
public class SimulatedServiceBenchmark {
    private static final long SLICE_NANOS = 100_000_000;

    @Param({"1", "31"})
    public int partitions;

    @Param({"0", "200"})
    public int networkMicros;

    private Engine engine;
    private SimulatedService model;

    /** Executions beside invocations. */
    @AuxCounters(AuxCounters.Type.OPERATIONS)
    @State(Scope.Thread)
    public static class Executions {
        public long executions;
    }

    @Setup(Level.Iteration)
    public void seededService() {
        TierSpec tier = TierSpecBuilder.builder()
                .name("search")
                .partitions(partitions)
                .serversPerPartition(1)
                .cores(2)
                .discipline(Discipline.PROCESSOR_SHARING)
                .queueBound(TierSpec.UNBOUNDED)
                .demand(new Distribution.LogNormal(0.004, 1.2))
                .networkDelay(new Distribution.Constant(networkMicros * 1e-6))
                .timeOutSeconds(Double.POSITIVE_INFINITY)
                .factor(1)
                .arbitration(TierSpec.Arbitration.IN_TURN)
                .build();
        ServiceSpec spec = ServiceSpecBuilder.builder()
                .name("search")
                .deadlineSeconds(0.03)
                .lateSeconds(1)
                .cancelsLateWork(true)
                .topK(20)
                .demandFollowsItems(0.3)
                .tiers(List.of(tier))
                .kinds(List.of(new QueryKind("any", 1, 0.5, 0)))
                .classes(List.of(new ClassArrivals(
                        "all", new Arrivals.Poisson(new RateCurve.ConstantRate(350)), QueryKindMix.SINGLE)))
                .faults(FaultPlan.NONE)
                .build();
        engine = new Engine();
        model = new SimulatedService(engine, spec, new Everyone(), 7);
        model.start();
    }

    @Benchmark
    public long tenthOfASecond(Executions counter) {
        long before = model.executions();
        engine.run(engine.nowNanos() + SLICE_NANOS);
        counter.executions += model.executions() - before;
        return before;
    }

    private static final class Everyone implements FrontEndModel {
        @Override
        public boolean admits(Query query) {
            return true;
        }

        @Override
        public boolean isSampled(Query query) {
            return false;
        }

        @Override
        public void answered(Query query) {
            // Nobody looks at it.
        }

        @Override
        public void lateResult(Query query, int partition) {
            // None is kept.
        }
    }
}
