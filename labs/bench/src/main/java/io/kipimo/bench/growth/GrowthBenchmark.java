package io.kipimo.bench.growth;

import io.kipimo.bench.machine.BrokerProcess;
import io.kipimo.bench.machine.LogRequests;
import io.kipimo.bench.machine.SubjectProcess;
import io.kipimo.bench.quality.ProductSubject;
import io.kipimo.bench.report.Benchmark;
import io.kipimo.bench.report.Context;
import io.kipimo.bench.report.Result;
import io.kipimo.bench.report.SubjectComparison;
import io.kipimo.bench.report.Table;
import io.kipimo.bench.side.SubjectRun;
import io.kipimo.bench.workload.EventWorkload;
import io.kipimo.bench.workload.RecordedWorkload;
import io.kipimo.bench.workload.WorkloadRecorder;
import io.kipimo.sdk.kafka.KafkaSettings;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

/** Measures the cost of a query as a function of its size, and the cost of queries that stay open. */
public final class GrowthBenchmark implements Benchmark {
    private static final List<QuerySize> ITEMS =
            List.of(new QuerySize(10, 150_000), new QuerySize(100, 60_000), new QuerySize(1_000, 10_000));

    /**
     * Sizes of queries by components. With fewer than a thousand queries a row would show the time to set up the job.
     */
    private static final List<QuerySize> COMPONENTS =
            List.of(new QuerySize(4, 100_000), new QuerySize(40, 25_000), new QuerySize(400, 5_000));

    /** Warm-up rounds of each size. Another size of a query runs other code, which the JVM must compile first. */
    private static final int WARM_UPS = 3;

    /** Size of a query, and the number of queries in a full run. Processing that many takes some seconds. */
    private record QuerySize(int number, int fullQueries) {
        int queries(Context context) {
            return context.choose(8, Math.max(8, fullQueries / 5), fullQueries);
        }
    }

    @Override
    public Result run(Context context) throws Exception {
        Table items = new Table("Items a result, 4 components");
        Table components = new Table("Components a query, 20 items");
        Table open = new Table("Open queries");
        try (BrokerProcess broker = BrokerProcess.start()) {
            try (SubjectProcess product = SubjectProcess.start(ProductSubject.class, 3)) {
                Shapes shapes = new Shapes(context, broker, product);
                shapes.warmUp();
                for (QuerySize size : ITEMS) {
                    shapes.run(
                            items,
                            "items",
                            size.number,
                            EventWorkload.usual(size.queries(context), System.currentTimeMillis())
                                    .withItems(size.number));
                }
                for (QuerySize size : COMPONENTS) {
                    shapes.run(
                            components,
                            "components",
                            size.number,
                            EventWorkload.usual(size.queries(context), System.currentTimeMillis())
                                    .withComponents(size.number));
                }
            }
            for (int number :
                    context.choose(List.of(1_000), List.of(10_000, 100_000), List.of(10_000, 100_000, 1_000_000))) {
                open(context, broker, number, open);
            }
        }
        return new Result(
                List.of(items, components, open),
                List.of(
                        "the first two tables: a quarter of the components late, 5 % of online and"
                                + " 0.25 % of mature results lost; CPU of the job's JVM, including"
                                + " some tenths of a second for setting up the job",
                        "state on " + context.backend().flinkName(),
                        "an open query has an answer and the results of those of its 4 components"
                                + " that were in time, 20 items each; it waits for the others"));
    }

    private static void open(Context context, BrokerProcess broker, int number, Table table) throws Exception {
        KafkaSettings kafka = broker.settings("open-" + number + ".");
        // With four components and a quarter of them late, 68 of 100 queries wait.
        EventWorkload workload = EventWorkload.usual((int) (number / (1 - Math.pow(0.75, 4))), 0)
                .withShares(0.25, 0, 1)
                .endingBefore(System.currentTimeMillis());
        RecordedWorkload recorded = WorkloadRecorder.recordOpen(kafka, workload);
        try (SubjectProcess side = SubjectProcess.start(OpenQueriesSubject.class, 8)) {
            SubjectRun run = side.run(LogRequests.of(context, kafka, recorded).next());
            double queries = recorded.measurements();
            Map<String, Double> details = run.details();
            double bytes = details.get(OpenQueriesSubject.STATE_BYTES);
            table.row()
                    .cell("open queries", recorded.measurements())
                    .cell("state bytes a query", bytes / queries)
                    .cell("live heap bytes a query", details.get(OpenQueriesSubject.HEAP_BYTES) / queries)
                    .cell("checkpoint MB", bytes / 1e6)
                    .cell("checkpoint ms", details.get(OpenQueriesSubject.CHECKPOINT_MILLIS))
                    .cell("task stopped ms", details.get(OpenQueriesSubject.SYNC_MILLIS));
            context.say("%,d open queries: %.0f state bytes each", number, bytes / queries);
        }
    }

    /** Runs the product on one query shape after the other. */
    private static final class Shapes {
        private final Context context;
        private final BrokerProcess broker;
        private final SubjectProcess product;
        private int shapes;

        Shapes(Context context, BrokerProcess broker, SubjectProcess product) {
            this.context = context;
            this.broker = broker;
            this.product = product;
        }

        void warmUp() throws Exception {
            KafkaSettings kafka = broker.settings("warm-up.");
            RecordedWorkload recorded = WorkloadRecorder.record(
                    kafka, EventWorkload.usual(context.choose(500, 20_000, 50_000), System.currentTimeMillis()));
            LogRequests requests = LogRequests.of(context, kafka, recorded);
            for (int i = 0; i < context.choose(1, 2, 4); i++) {
                product.run(requests.next());
            }
        }

        /** Runs one shape several times and adds the repetition with the least processor time to the table. */
        void run(Table table, String what, int number, EventWorkload workload) throws Exception {
            KafkaSettings kafka = broker.settings("shape-" + shapes++ + ".");
            RecordedWorkload recorded = WorkloadRecorder.record(kafka, workload);
            LogRequests requests = LogRequests.of(context, kafka, recorded);
            SubjectRun best = Collections.min(
                    new SubjectComparison<Integer, SubjectRun>(context)
                            .warmUps(context.choose(0, 2, WARM_UPS))
                            .warmUpSeparately()
                            .warmUpUntilSteady(SubjectRun::eventsPerCpuSecond)
                            .quietly()
                            .add(number, round -> product.run(requests.next()))
                            .run()
                            .get(number)
                            .all(),
                    Comparator.comparingLong(SubjectRun::cpuMicros));
            double cpu = best.cpuMicros();
            table.row()
                    .cell(what, number)
                    .cell("queries", workload.queries())
                    .cell("bytes an event", (double) recorded.bytes() / recorded.events())
                    .cell("events/s", best.eventsPerSecond())
                    .cell("events/CPU-s", best.eventsPerCpuSecond())
                    .cell("CPU-us an event", cpu / recorded.events())
                    .cell("CPU-us a query", cpu / recorded.measurements())
                    .cell("CPU-ns an item", cpu * 1000 / recorded.events() / workload.items());
            context.say("%s %d: %.1f CPU-us an event", what, number, cpu / recorded.events());
        }
    }
}
