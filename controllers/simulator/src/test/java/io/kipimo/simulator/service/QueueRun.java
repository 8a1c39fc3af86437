package io.kipimo.simulator.service;

import io.kipimo.simulator.engine.Engine;
import io.kipimo.simulator.engine.Times;
import io.kipimo.simulator.faults.FaultPlan;
import io.kipimo.simulator.workload.Arrivals;
import io.kipimo.simulator.workload.ClassArrivals;
import io.kipimo.simulator.workload.QueryKind;
import io.kipimo.simulator.workload.QueryKindMix;
import io.kipimo.simulator.workload.RateCurve;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.commons.math3.distribution.TDistribution;
import org.apache.commons.math3.stat.descriptive.SummaryStatistics;

/**
 * One tier as a textbook queue: mean response times of independent runs.
 *
 * @param arrivalsPerSecond of all classes, which have equal parts of it
 * @param counted index of the class whose responses count
 */
record QueueRun(TierSpec tier, double arrivalsPerSecond, int classes, int counted) {
    QueueRun(TierSpec tier, double arrivalsPerSecond) {
        this(tier, arrivalsPerSecond, 1, 0);
    }

    private static final int RUNS = 20;

    /** Mean over the runs and the half-width of its 99 % confidence interval. */
    record MeanResponse(double mean, double halfWidth) {}

    /** Runs of this many queries each, of which the first fifth does not count. */
    MeanResponse meanResponse(int queries) {
        SummaryStatistics means = new SummaryStatistics();
        for (int run = 0; run < RUNS; run++) {
            means.addValue(meanResponse(queries, 1_000 + run));
        }
        double t = new TDistribution(null, RUNS - 1).inverseCumulativeProbability(0.995);
        return new MeanResponse(means.getMean(), t * means.getStandardDeviation() / Math.sqrt(RUNS));
    }

    private double meanResponse(int queries, long seed) {
        ServiceSpec spec = ServiceSpecBuilder.builder()
                .name("queue")
                .deadlineSeconds(Double.POSITIVE_INFINITY)
                .lateSeconds(1)
                .cancelsLateWork(true)
                .topK(1)
                .tiers(List.of(tier))
                .kinds(List.of(new QueryKind("any", 1, 0, 0)))
                .classes(IntStream.range(0, classes)
                        .mapToObj(c -> new ClassArrivals(
                                c == 0 ? "all" : "class-" + c,
                                new Arrivals.Poisson(new RateCurve.ConstantRate(arrivalsPerSecond / classes)),
                                QueryKindMix.SINGLE))
                        .toList())
                .faults(FaultPlan.NONE)
                .build();
        Answers answers = new Answers(queries, counted);
        Engine engine = new Engine();
        SimulatedService model = new SimulatedService(engine, spec, answers, seed);
        model.start();
        while (answers.count < queries) {
            engine.step();
        }
        return answers.sumSeconds / (queries - answers.warmUp);
    }

    private static final class Answers implements FrontEndModel {
        final int warmUp;
        int count;
        double sumSeconds;

        final int counted;

        Answers(int queries, int counted) {
            warmUp = queries / 5;
            this.counted = counted;
        }

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
            if (query.classIndex() == counted && count++ >= warmUp) {
                sumSeconds += Times.seconds(query.answeredNanos() - query.startedNanos());
            }
        }

        @Override
        public void lateResult(Query query, int partition) {
            throw new IllegalStateException("there is no deadline");
        }
    }
}
