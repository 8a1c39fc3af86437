package io.kipimo.labs.reproductions;

import io.kipimo.core.replication.ServiceTimes;
import io.kipimo.core.replication.Zoolander;
import io.kipimo.simulator.engine.Engine;
import io.kipimo.simulator.engine.Times;
import io.kipimo.simulator.faults.FaultPlan;
import io.kipimo.simulator.service.Discipline;
import io.kipimo.simulator.service.ServiceSpec;
import io.kipimo.simulator.service.ServiceSpecBuilder;
import io.kipimo.simulator.service.SimulatedService;
import io.kipimo.simulator.service.TierSpec;
import io.kipimo.simulator.service.TierSpecBuilder;
import io.kipimo.simulator.workload.Arrivals;
import io.kipimo.simulator.workload.ClassArrivals;
import io.kipimo.simulator.workload.Distribution;
import io.kipimo.simulator.workload.QueryKind;
import io.kipimo.simulator.workload.QueryKindMix;
import io.kipimo.simulator.workload.RateCurve;
import java.util.Arrays;
import java.util.List;

/**
 * Simulates duplicates that all execute every request in order of arrival, each with its own service time. The first
 * answer counts. Nothing is cancelled, because writes must reach all duplicates (Zoolander, sec. 4 and 5). Service
 * times follow sections 4.2 and 5.1 on "writes, ZK=1": 5 ms are the 90th percentile, 15 ms the 99th, twice the mean the
 * 95.7th, 26 times the mean the 99.99th; coefficients of variation are from 1.5 on.
 */
final class DuplicateRun {
    /** The paper's bound: the 90th percentile of the writes. */
    static final double TAU_MILLIS = 5;

    private static final int POINTS = 100_000;
    private static final double MILLISECOND = 1e-3;

    /** Quantiles of service times: share, and milliseconds. Between them, logarithms are interpolated. */
    private static final double[][] WRITES = {
        {0, 1.6},
        {0.5, 2.6},
        {0.7, 3.0},
        {0.9, 5},
        {0.957, 6.9},
        {0.99, 15},
        {0.999, 45},
        {0.9999, 90},
        {1, 1200}
    };

    /**
     * Quantiles of service times of writes to a group of three (sec. 4.2, "writes, ZK=3"): twice the mean is the 91.5th
     * percentile, 99 times the mean the 99.99th. The mean of the quantiles is 8.0 ms.
     */
    private static final double[][] GROUP_WRITES = {
        {0, 2.5},
        {0.5, 4},
        {0.7, 5.2},
        {0.9, 12},
        {0.915, 16},
        {0.99, 44},
        {0.999, 250},
        {0.9999, 792},
        {1, 1200}
    };

    private DuplicateRun() {}

    /** Service times of writes in milliseconds, ascending. */
    static double[] writes() {
        return times(WRITES);
    }

    /** Service times of writes to a group of three in milliseconds, ascending. */
    static double[] groupWrites() {
        return times(GROUP_WRITES);
    }

    private static double[] times(double[][] quantiles) {
        double[] times = new double[POINTS];
        int segment = 0;
        for (int i = 0; i < POINTS; i++) {
            double share = (i + 0.5) / POINTS;
            while (share > quantiles[segment + 1][0]) {
                segment++;
            }
            double[] from = quantiles[segment];
            double[] to = quantiles[segment + 1];
            double part = (share - from[0]) / (to[0] - from[0]);
            times[i] = StrictMath.exp(StrictMath.log(from[1]) + part * StrictMath.log(to[1] / from[1]));
        }
        return times;
    }

    /**
     * Service times of a mix in milliseconds, ascending: for each three writes there are four reads, each a tenth as
     * long as a write (Gridlab-D, sec. 6).
     */
    static double[] readsAndWrites() {
        double[] writes = writes();
        double[] times = new double[7 * POINTS / 10];
        // Every tenth write serves as a sample for seven accesses.
        for (int write = 5, i = 0; write < POINTS; write += 10) {
            for (int access = 0; access < 7; access++) {
                times[i++] = access < 4 ? writes[write] / 10 : writes[write];
            }
        }
        Arrays.sort(times);
        return times;
    }

    static ServiceTimes times(double... millis) {
        return ServiceTimes.measured(millis);
    }

    /**
     * Simulates one group of duplicates.
     *
     * @param millis service times, equally likely
     * @return latencies in milliseconds, ascending
     */
    static double[] simulated(double[] millis, int duplicates, Arrivals arrivals, double seconds, long seed) {
        double[] demands = Arrays.stream(millis).map(m -> m * MILLISECOND).toArray();
        TierSpec tier = TierSpecBuilder.builder()
                .name("store")
                .partitions(1)
                .serversPerPartition(duplicates)
                .cores(1)
                .discipline(Discipline.FIFO)
                .queueBound(TierSpec.UNBOUNDED)
                .demand(new Distribution.Empirical(demands))
                .networkDelay(new Distribution.Constant(0))
                .timeOutSeconds(Double.POSITIVE_INFINITY)
                .factor(duplicates)
                .independentCopies(true)
                .arbitration(TierSpec.Arbitration.IN_TURN)
                .build();
        ServiceSpec service = ServiceSpecBuilder.builder()
                .name("store")
                .deadlineSeconds(Double.POSITIVE_INFINITY)
                .topK(1)
                .tiers(List.of(tier))
                .kinds(List.of(new QueryKind("access", 1, 0, 0)))
                .classes(List.of(new ClassArrivals("all", arrivals, QueryKindMix.SINGLE)))
                .faults(FaultPlan.NONE)
                .build();
        Engine engine = new Engine();
        SimulatedService model = new SimulatedService(engine, service, UncontrolledFrontEnd.INSTANCE, seed);
        model.start();
        engine.run(Times.nanos(seconds));
        double[] latencies = model.counts(0).latencies();
        for (int i = 0; i < latencies.length; i++) {
            latencies[i] /= MILLISECOND;
        }
        Arrays.sort(latencies);
        return latencies;
    }

    static Arrivals poisson(double perSecond) {
        return new Arrivals.Poisson(new RateCurve.ConstantRate(perSecond));
    }

    /** Service level of one group by the product's formula: the share of requests within the bound. */
    static double formula(ServiceTimes times, double tauMillis, int duplicates, double perSecond) {
        return Zoolander.mix(times, tauMillis, 1, duplicates, perSecond, 0).serviceLevel();
    }

    /** Share of latencies at or below the bound. */
    static double level(double[] latencies, double tauMillis) {
        return DuplicateRun.times(latencies).shareAtMost(tauMillis);
    }
}
