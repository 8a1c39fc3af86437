package io.kipimo.bench.steering;

import io.kipimo.bench.report.Benchmark;
import io.kipimo.bench.report.Context;
import io.kipimo.bench.report.Result;
import io.kipimo.bench.report.Table;
import io.kipimo.core.quality.estimate.AssistedEstimator;
import io.kipimo.core.quality.estimate.CostMemory;
import io.kipimo.core.quality.estimate.CostModel;
import io.kipimo.core.quality.estimate.CostSums;
import io.kipimo.core.quality.estimate.MissingCounts;
import io.kipimo.core.quality.estimate.StratifiedEstimator;
import io.kipimo.core.quality.estimate.StratumCounts;
import io.kipimo.core.sampling.ConsistentSampling;
import io.kipimo.examples.search.SearchService;
import io.kipimo.examples.search.component.QueueOrder;
import io.kipimo.examples.search.corpus.Corpus;
import io.kipimo.examples.search.frontend.FrontEndSettings;
import io.kipimo.examples.search.frontend.OfferedQuery;
import io.kipimo.examples.search.frontend.Telemetry;
import io.kipimo.examples.search.index.PartitionedIndex;
import io.kipimo.examples.search.load.Arrival;
import io.kipimo.examples.search.load.ArrivalTrace;
import io.kipimo.examples.search.load.Calibration;
import io.kipimo.examples.search.load.LoadGenerator;
import io.kipimo.examples.search.load.LoadTarget;
import io.kipimo.examples.search.workload.QueryMix;
import io.kipimo.examples.search.workload.QueryWriter;
import io.kipimo.schemas.quality.Estimate;
import io.kipimo.schemas.quality.Invocation;
import io.kipimo.schemas.quality.Outcome;
import io.kipimo.sdk.ServerReporter;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Measures the errors of the estimates of control batches on recorded traffic of the example search service, in mild
 * and heavy overload without control. The quality of every answer is known from its content; the estimates see only the
 * quality of the sampled answers. The mix turns heavier before the last batches.
 */
public final class EstimatesBenchmark implements Benchmark {
    private static final int BATCH_QUERIES = 100;

    /** Number of batches in the averaging window. */
    private static final int HISTORY_BATCHES = 20;

    private static final int AFTER_CHANGE = 20;

    /** Number of equal parts of the recording. The mix turns heavier in the last part. */
    private static final int PARTS = 10;

    private static final double[] RATES = {0.02, 0.05};
    private static final String METRIC = "tpr@20";
    private static final QueryMix.MixPhase LIGHTER = QueryMix.HEAVIER.at(0);
    private static final QueryMix.MixPhase HEAVIER = QueryMix.HEAVIER.at(1);
    private static final double UNMEASURED_CAPACITY = 60;

    private final SteeringSettings settings = SteeringSettings.read();

    /** An answered query. */
    private record Answered(Arrival arrival, String id, double quality) {}

    /** The data of a query that an estimate may use. */
    private record EstimatedQuery(String id, double quality, List<String> missing) {
        boolean degraded() {
            return !missing.isEmpty();
        }
    }

    /** Remembers which components each answer lacked. */
    private static final class MissingComponents implements Telemetry {
        private final Map<String, List<String>> byId = new ConcurrentHashMap<>();

        @Override
        public void answered(OfferedQuery query, List<Invocation> invocations, Optional<Double> notAskedLoss) {
            byId.put(
                    query.id(),
                    invocations.stream()
                            .filter(i -> i.outcome() != Outcome.IN_TIME)
                            .map(Invocation::component)
                            .toList());
        }
    }

    /** Errors of one estimate. */
    private static final class EstimateErrors {
        private double squares;
        private int batches;
        private double biasAfter;
        private int after;
        private int covered;

        void judge(Estimate estimate, double truth, boolean isAfterChange) {
            double error = estimate.mean() - truth;
            squares += error * error;
            batches++;
            covered += estimate.low() <= truth + 1e-9 && truth <= estimate.high() + 1e-9 ? 1 : 0;
            if (isAfterChange) {
                biasAfter += error;
                after++;
            }
        }

        double rootMeanSquare() {
            return Math.sqrt(squares / batches);
        }
    }

    @Override
    public Result run(Context context) throws Exception {
        context.say("building the index and the full answers");
        PartitionedIndex index = PartitionedIndex.skewed(Corpus.load());
        QueryMix mix = new QueryMix(
                "heavier",
                IntStream.range(0, PARTS)
                        .mapToObj(i -> i < PARTS - 1 ? LIGHTER : HEAVIER)
                        .toList());
        QueryPools pools =
                new QueryPools(settings, List.of(mix), context.choose(100, 1_000, settings.queriesPerPhase()), index);
        Table table = new Table("Control batches of 100 answers");
        MissingComponents missing = new MissingComponents();
        try (SearchService service = start(index, missing);
                LoadGenerator generator = new LoadGenerator()) {
            double capacity = context.effort() == Context.BenchmarkEffort.TINY
                    ? UNMEASURED_CAPACITY
                    : Calibration.THOROUGH
                            .find(
                                    generator,
                                    service.ports().calibration(),
                                    new QueryWriter(index.vocabulary()),
                                    new QueryMix("heavier", List.of(HEAVIER)),
                                    settings.seed())
                            .perSecond();
            context.say("capacity for the heavier mix: %.0f queries/s", capacity);
            for (Overload overload : Overload.values()) {
                List<List<EstimatedQuery>> batches = batches(
                        record(
                                service,
                                generator,
                                pools,
                                mix,
                                overload.load * capacity,
                                Duration.ofSeconds(context.choose(20, 60, 120))),
                        missing);
                context.say("%s overload: %d batches", overload.title, batches.size());
                judge(table, overload, batches, context.choose(1, 10, 20));
            }
        }
        return new Result(
                List.of(table),
                List.of("error: root mean square; bias after: mean error of the 20 batches after"
                        + " the mix turned heavier; covered: share of the batches whose"
                        + " 95 % interval holds the true quality; batches of the last third"
                        + " are judged, each with several samples"));
    }

    /** Load of the service without control. */
    private enum Overload {
        MILD("mild", 0.9),
        HEAVY("heavy", 1.75);

        private final String title;

        /** Share of the capacity that the heavier mix has. */
        private final double load;

        Overload(String title, double load) {
            this.title = title;
            this.load = load;
        }
    }

    private SearchService start(PartitionedIndex index, Telemetry telemetry) {
        return SearchService.start(
                index,
                new FrontEndSettings(
                        "estimates",
                        "estimates",
                        Duration.ofMillis(settings.deadlineMillis()),
                        Duration.ofMillis(settings.expirationWindowMillis()),
                        settings.topK()),
                SearchService.Ports.FREE,
                settings.queueCapacity(),
                QueueOrder.ARRIVAL,
                false,
                telemetry,
                ServerReporter::silent);
    }

    private List<Answered> record(
            SearchService service,
            LoadGenerator generator,
            QueryPools pools,
            QueryMix mix,
            double perSecond,
            Duration length)
            throws InterruptedException {
        ArrivalTrace trace = pools.lowOnly(mix, perSecond, length, settings.seed());
        Queue<Answered> answers = new ConcurrentLinkedQueue<>();
        generator.run(
                new LoadTarget(service.ports().high(), service.ports().low()),
                trace,
                settings.seed() + (long) perSecond,
                (arrival, latencyMicros, body) -> answers.add(answered(pools, arrival, body)));
        return answers.stream()
                .sorted(Comparator.comparingLong(a -> a.arrival.offsetMicros()))
                .toList();
    }

    private static Answered answered(QueryPools pools, Arrival arrival, Buffer body) {
        JsonObject answer = new JsonObject(body);
        return new Answered(
                arrival, answer.getString("traceId"), RunFigures.quality(answer, pools.fullAnswer(arrival.query())));
    }

    private static List<List<EstimatedQuery>> batches(List<Answered> answers, MissingComponents missing) {
        List<EstimatedQuery> queries = answers.stream()
                .map(a -> new EstimatedQuery(a.id, a.quality, missing.byId.get(a.id)))
                .toList();
        return IntStream.range(0, queries.size() / BATCH_QUERIES)
                .mapToObj(i -> queries.subList(i * BATCH_QUERIES, (i + 1) * BATCH_QUERIES))
                .toList();
    }

    /** Judges the estimates on the last third of the batches; the mix changes within it. */
    private static void judge(Table table, Overload overload, List<List<EstimatedQuery>> batches, int samples) {
        int first = 2 * batches.size() / 3;
        int change = batches.size() * (PARTS - 1) / PARTS;
        double quality = batches.subList(first, batches.size()).stream()
                .flatMap(List::stream)
                .mapToDouble(EstimatedQuery::quality)
                .average()
                .orElse(Double.NaN);
        for (double rate : RATES) {
            EstimateErrors stratified = new EstimateErrors();
            EstimateErrors assisted = new EstimateErrors();
            for (int sample = 0; sample < samples; sample++) {
                follow(batches, rate, "-" + sample, first, change, stratified, assisted);
            }
            row(table, overload, rate, "stratified", stratified, stratified, quality);
            row(table, overload, rate, "model-assisted", assisted, stratified, quality);
        }
    }

    private static void row(
            Table table,
            Overload overload,
            double rate,
            String name,
            EstimateErrors errors,
            EstimateErrors stratified,
            double quality) {
        table.row()
                .cell("overload", overload.title)
                .cell("sampled", rate, 2)
                .cell("estimate", name)
                .cell("error", errors.rootMeanSquare(), 4)
                .cell("of stratified", errors.rootMeanSquare() / stratified.rootMeanSquare(), 2)
                .cell("bias after", errors.biasAfter / errors.after, 4)
                .cell("covered", (double) errors.covered / errors.batches, 3)
                .cell("true quality", quality, 3)
                .cell("batches", errors.batches);
    }

    private static void follow(
            List<List<EstimatedQuery>> batches,
            double rate,
            String salt,
            int first,
            int change,
            EstimateErrors stratified,
            EstimateErrors assisted) {
        CostMemory memory = new CostMemory();
        Deque<MissingCounts> window = new ArrayDeque<>();
        for (int batch = 0; batch < batches.size(); batch++) {
            CostSums sampled = new CostSums();
            MissingCounts counts = counts(batches.get(batch), rate, salt, sampled);
            MissingCounts history = window.stream().reduce(MissingCounts.NONE, MissingCounts::plus);
            Optional<Estimate> plain = StratifiedEstimator.estimate(counts.strata(), history.strata());
            Optional<Estimate> better = CostModel.of(memory, METRIC)
                    .flatMap(model -> AssistedEstimator.estimate(counts, history.plus(counts), model))
                    .or(() -> plain);
            if (batch >= first && plain.isPresent() && better.isPresent()) {
                double truth = batches.get(batch).stream().collect(Collectors.averagingDouble(EstimatedQuery::quality));
                boolean isAfter = batch >= change && batch < change + AFTER_CHANGE;
                stratified.judge(plain.get(), truth, isAfter);
                assisted.judge(better.get(), truth, isAfter);
            }
            memory.learn(sampled);
            window.addLast(counts);
            if (window.size() > HISTORY_BATCHES) {
                window.removeFirst();
            }
        }
    }

    private static MissingCounts counts(List<EstimatedQuery> queries, double rate, String salt, CostSums sampled) {
        StratumCounts strata = StratumCounts.NONE;
        Map<String, Long> missing = new HashMap<>();
        Map<String, Long> sampledMissing = new HashMap<>();
        for (EstimatedQuery query : queries) {
            strata = strata.plusCounted(1, query.degraded() ? 1 : 0);
            query.missing.forEach(c -> missing.merge(c, 1L, Long::sum));
            if (!ConsistentSampling.isSampled(query.id + salt, rate)) {
                continue;
            }
            if (query.degraded()) {
                strata = strata.plusDegraded(query.quality, query.quality);
                query.missing.forEach(c -> sampledMissing.merge(c, 1L, Long::sum));
                sampled.add(query.missing);
                sampled.addLoss(query.missing, METRIC, query.quality, query.quality);
            } else {
                strata = strata.plusClean();
            }
        }
        return new MissingCounts(strata, missing, sampledMissing);
    }
}
