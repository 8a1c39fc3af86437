package io.kipimo.labs.reproductions;

import io.kipimo.core.quality.merge.Merge;
import io.kipimo.core.quality.merge.Merges;
import io.kipimo.core.quality.merge.Part;
import io.kipimo.schemas.policy.MergePolicy;
import io.kipimo.schemas.quality.ScoredIds;
import io.kipimo.simulator.engine.Engine;
import io.kipimo.simulator.engine.Times;
import io.kipimo.simulator.faults.FaultPlan;
import io.kipimo.simulator.report.LinePlot;
import io.kipimo.simulator.report.Phrase;
import io.kipimo.simulator.service.Discipline;
import io.kipimo.simulator.service.FrontEndModel;
import io.kipimo.simulator.service.Query;
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
import java.util.ArrayList;
import java.util.List;

/**
 * Reproduces the microbenchmark of component selection (Ubora, sec. 7.4, fig. 6). A front end with a deadline asks two
 * components. One of them, random for every query, runs X % longer. A component's output is an item with its running
 * time as the score, and the product's merge gives the answer. The figure shows how close the mature answer is to the
 * running time of the slowest component when late results of both components are kept, or of one only.
 */
final class UboraFigure6 implements Experiment {
    private static final int QUERIES = 10_000;
    private static final double SHORT_SECONDS = 0.1;
    private static final double[] SKEWS = {0.1, 0.25, 0.5, 0.75, 1.0};
    private static final long SEED = 6;

    /** Greatest distance from one half of the share of queries whose kept component is the shorter one. */
    private static final double WRONG = 0.03;

    private record Accuracy(double both, double single, double wrong, double lateShare) {}

    @Override
    public Reproduction run() {
        List<Finding> findings = new ArrayList<>();
        double[] both = new double[SKEWS.length];
        double[] single = new double[SKEWS.length];
        for (int i = 0; i < SKEWS.length; i++) {
            Accuracy accuracy = accuracy(SKEWS[i]);
            both[i] = accuracy.both();
            single[i] = accuracy.single();
            String where = Phrase.of("skew %.0f %%", 100 * SKEWS[i]);
            findings.add(Finding.compared(
                    where + ", both components kept: accuracy",
                    "0.96 to 0.99",
                    Phrase.of("%.4f", accuracy.both()),
                    accuracy.both() >= 0.955,
                    "late results are lost"));
            findings.add(Finding.alone(
                    where + ", one kept: accuracy; work kept beyond the deadline",
                    Phrase.of("%.4f; %.3f of the online work", accuracy.single(), accuracy.lateShare()),
                    ""));
        }
        double wrong = accuracy(SKEWS[SKEWS.length - 1]).wrong();
        findings.add(Finding.compared(
                "skew 100 %, queries whose wrong component was kept: accuracy",
                "0.5 at best",
                Phrase.of("%.4f", wrong),
                Math.abs(wrong - 0.5) < WRONG,
                "the merge does not keep the best of what it has"));
        return new Reproduction(
                QUERIES
                        + " queries, one every 0.1 s; the short component takes 100 ms, which is the"
                        + " deadline. Answers are merged by score, the default. The slowdown in the"
                        + " paper's right axis is replay's: here late work is kept, nothing runs"
                        + " twice. Tolerance: half of the last printed digit, and above it the"
                        + " paper's loss of 1 to 4 %, which is its record and replay; for the wrong"
                        + " component that of the messages' 0.2 ms and of chance.",
                findings,
                new LinePlot("Accuracy of the mature answer", "data skew")
                        .line("both components", SKEWS, both)
                        .line("single component", SKEWS, single));
    }

    private Accuracy accuracy(double skew) {
        MergeWatch watch = new MergeWatch();
        Engine engine = new Engine();
        SimulatedService model = new SimulatedService(engine, service(skew), watch, SEED);
        model.start();
        engine.run(Times.nanos(QUERIES / 10.0 + 1));
        return watch.accuracy();
    }

    /** A service of two partitions. One of them has all items and the extra work. */
    private static ServiceSpec service(double skew) {
        // The partition with all items works (1 - f + 2 f) d, the other one (1 - f) d.
        double follows = skew / (2 + skew);
        TierSpec tier = TierSpecBuilder.builder()
                .name("component")
                .partitions(2)
                .serversPerPartition(1)
                .cores(8)
                .discipline(Discipline.PROCESSOR_SHARING)
                .queueBound(TierSpec.UNBOUNDED)
                .demand(new Distribution.Constant(SHORT_SECONDS / (1 - follows)))
                .networkDelay(new Distribution.Constant(0.0001))
                .timeOutSeconds(Double.POSITIVE_INFINITY)
                .factor(1)
                .arbitration(TierSpec.Arbitration.IN_TURN)
                .build();
        return ServiceSpecBuilder.builder()
                .name("microbenchmark")
                .deadlineSeconds(SHORT_SECONDS + 0.001)
                .lateSeconds(10)
                .cancelsLateWork(true)
                .topK(1)
                .demandFollowsItems(follows)
                .tiers(List.of(tier))
                .kinds(List.of(new QueryKind("query", 1, 60, 0)))
                .classes(List.of(new ClassArrivals("all", new Arrivals.Regular(10), QueryKindMix.SINGLE)))
                .faults(FaultPlan.NONE)
                .build();
    }

    /** Merges the results of each query in the ways that the figure compares. */
    private static final class MergeWatch implements FrontEndModel {
        private final Merge merge = Merges.of(MergePolicy.TOP_K);
        private double both;
        private double single;
        private double wrong;
        private long wrongs;
        private double lateSeconds;
        private double onlineSeconds;
        private long answers;

        @Override
        public boolean admits(Query query) {
            return true;
        }

        @Override
        public boolean isSampled(Query query) {
            return true;
        }

        @Override
        public void answered(Query query) {}

        @Override
        public void lateResult(Query query, int late) {
            int online = 1 - late;
            double truth = Math.max(seconds(query, late), seconds(query, online));
            double kept = accuracy(truth, query, online, late);
            // Only late results of component 0 are kept.
            double one = late == 0 ? kept : accuracy(truth, query, online);
            both += kept;
            single += one;
            wrong += late == 0 ? 0 : one;
            wrongs += late == 0 ? 0 : 1;
            lateSeconds += seconds(query, late) - seconds(query, online);
            onlineSeconds += 2 * seconds(query, online);
            answers++;
        }

        private double accuracy(double truth, Query query, int... components) {
            List<Part> parts = new ArrayList<>();
            for (int component : components) {
                parts.add(new Part(
                        Integer.toString(component), new UboraItem(component, (float) seconds(query, component))));
            }
            double answer = seconds(query, (int) merge.merge(parts, 1).id(0));
            return 1 - Math.abs(answer / truth - 1);
        }

        private static double seconds(Query query, int partition) {
            return Times.seconds(query.latencyNanos(partition));
        }

        Accuracy accuracy() {
            return new Accuracy(both / answers, single / answers, wrong / wrongs, lateSeconds / onlineSeconds);
        }
    }

    /** A list of one item, whose score is a running time. */
    private record UboraItem(long id, float seconds) implements ScoredIds {
        @Override
        public int size() {
            return 1;
        }

        @Override
        public long id(int place) {
            return id;
        }

        @Override
        public float score(int place) {
            return seconds;
        }
    }
}
