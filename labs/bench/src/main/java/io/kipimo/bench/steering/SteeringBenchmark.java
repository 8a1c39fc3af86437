package io.kipimo.bench.steering;

import io.kipimo.bench.machine.BrokerProcess;
import io.kipimo.bench.machine.JobProcess;
import io.kipimo.bench.report.Benchmark;
import io.kipimo.bench.report.Context;
import io.kipimo.bench.report.Repetitions;
import io.kipimo.bench.report.Result;
import io.kipimo.bench.report.SubjectComparison;
import io.kipimo.bench.report.Table;
import io.kipimo.examples.search.corpus.Corpus;
import io.kipimo.examples.search.index.PartitionedIndex;
import io.kipimo.examples.search.load.ArrivalTrace;
import io.kipimo.examples.search.load.Calibration;
import io.kipimo.examples.search.load.LoadGenerator;
import io.kipimo.examples.search.load.LoadResult;
import io.kipimo.examples.search.workload.QueryMix;
import io.kipimo.examples.search.workload.QueryWriter;
import io.kipimo.jobs.admission.AdmissionJob;
import io.kipimo.jobs.quality.QualityJob;
import io.kipimo.sdk.internal.kafka.TopicAdmin;
import io.kipimo.sdk.kafka.KafkaSettings;
import io.kipimo.simulator.report.LinePlot;
import io.kipimo.simulator.report.Phrase;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.IntStream;

/**
 * Compares nine ways to share an overloaded search service between two classes. Lucene, front end, load generator,
 * broker, quality job and admission job are real. Every answer's quality is computed from its content, so the figures
 * do not depend on Kipimo's samples.
 *
 * <p>In a repetition all ways get the same arrivals of a mix. The set point of time-outs is the share of incomplete
 * answers while the quality controller keeps the objective on the first mix, so both signals keep the same quality
 * there.
 */
public final class SteeringBenchmark implements Benchmark {
    /** Assumed capacity in queries a second, for runs that only show that the benchmark works. */
    private static final double UNMEASURED_CAPACITY = 60;

    /** Pause between runs, in which the late work of a run ends. */
    private static final Duration BETWEEN_RUNS = Duration.ofSeconds(1);

    /** Range of the set points that can be kept. Outside it, control would never admit, or never shed. */
    private static final double LEAST_TIME_OUTS = 0.005;

    private static final double MOST_TIME_OUTS = 0.9;

    /** Queries that a model must have learned before the comparison. */
    private static final int LEAST_LEARNED = 500;

    /** Settings by which the model of components' contributions is renewed often. */
    private static final Map<String, String> LEARNING = Map.of("deadlines.every", "5 s", "deadlines.window", "1 h");

    private static final double ACCEPTABLE_LAG_MILLIS = 5;

    /** A run of one way on one mix. */
    private record SteeringSubject(QueryMix mix, Way way) {}

    private final SteeringSettings settings = SteeringSettings.read();

    @Override
    public Result run(Context context) throws Exception {
        List<QueryMix> mixes = settings.mixes();
        List<QueryMix> chosen = context.only(
                Context.MIXES,
                settings.allMixes(),
                context.choose(mixes.subList(mixes.size() - 1, mixes.size()), mixes, mixes),
                QueryMix::name);
        List<Layout> layouts = context.only(
                Context.PARTITIONINGS,
                List.of(Layout.values()),
                context.choose(List.of(Layout.SOURCE), List.of(Layout.SOURCE), List.of(Layout.values())),
                Layout::title);
        List<Way> ways = context.only(Context.WAYS, List.of(Way.values()), List.of(Way.values()), Way::option);
        context.say("building the index and the full answers");
        Corpus corpus = Corpus.load();
        PartitionedIndex bySource = PartitionedIndex.skewed(corpus);
        QueryPools pools = new QueryPools(
                settings,
                chosen,
                context.choose(200, settings.queriesPerPhase(), settings.queriesPerPhase()),
                bySource);
        List<Table> tables = new ArrayList<>();
        List<LinePlot> plots = new ArrayList<>();
        List<String> notes = new ArrayList<>();
        try (BrokerProcess broker = BrokerProcess.start()) {
            for (Layout layout : layouts) {
                KafkaSettings kafka = broker.settings(layout.title() + ".");
                TopicAdmin.createMissing(kafka, 0, (short) 1);
                try (JobProcess quality = job(QualityJob.NAME, kafka, context, LEARNING);
                        JobProcess admission = job(AdmissionJob.NAME, kafka, context, Map.of());
                        Partitioning one = new Partitioning(
                                context,
                                layout.title(),
                                layout.of(corpus, bySource, settings, context.choose(200, 3_000, 6_000)),
                                ways,
                                pools,
                                kafka,
                                List.of(quality, admission))) {
                    one.prepare(chosen);
                    one.compare(tables, plots, notes);
                }
            }
        }
        notes.add(Phrase.of(
                "good/s: low-class answers a second with quality %.1f or above; off: mean"
                        + " distance of the high class's quality from %.2f in slices of"
                        + " %d s; low q: mean quality of the low class's answers; below .5:"
                        + " share of them with less; intervals are 95 %%",
                settings.good(), settings.objective(), settings.sliceSeconds()));
        return new Result(tables, notes, plots);
    }

    private static JobProcess job(String name, KafkaSettings kafka, Context context, Map<String, String> more) {
        Map<String, String> options = new HashMap<>(more);
        options.put("source.out-of-orderness", "300 ms");
        options.put("source.idleness", "2 s");
        return new JobProcess(name, kafka, context.backend().flinkName(), options);
    }

    /** All ways on one partitioning of the corpus. */
    private final class Partitioning implements AutoCloseable {
        private final Context context;
        private final String name;
        private final PartitionedIndex index;
        private final List<Way> ways;
        private final QueryPools pools;
        private final KafkaSettings kafka;
        private final List<JobProcess> jobs;
        private final LoadGenerator generator = new LoadGenerator();
        private final Map<Way, SteeredService> services = new EnumMap<>(Way.class);
        private final Map<QueryMix, Double> capacities = new LinkedHashMap<>();
        private final Duration lead;
        private final Duration counted;
        private double setPoint;
        private long runs;
        private double lagMillis;

        Partitioning(
                Context context,
                String name,
                PartitionedIndex index,
                List<Way> ways,
                QueryPools pools,
                KafkaSettings kafka,
                List<JobProcess> jobs) {
            this.context = context;
            this.name = name;
            this.index = index;
            this.ways = ways;
            this.pools = pools;
            this.kafka = kafka;
            this.jobs = jobs;
            lead = Duration.ofSeconds(context.choose(2, 6, 10));
            counted = Duration.ofSeconds(context.seconds().orElse(context.choose(2, 8, 60)));
        }

        /** Warms up the service, measures the capacities, and finds the set point of time-outs. */
        void prepare(List<QueryMix> mixes) throws Exception {
            start(Way.QUALITY);
            QueryWriter writer = new QueryWriter(index.vocabulary());
            for (QueryMix mix : mixes) {
                capacities.put(mix, capacity(mix, writer, capacities.isEmpty()));
                context.say("by %s: capacity for mix '%s': %.0f queries/s", name, mix.name(), capacities.get(mix));
            }
            // A job that could not start says why, and no decision of it is waited for.
            jobs.forEach(JobProcess::requireAlive);
            services.get(Way.QUALITY).awaitControl();
            setPoint = Math.min(
                    MOST_TIME_OUTS,
                    Math.max(
                            LEAST_TIME_OUTS,
                            run(new SteeringSubject(mixes.get(0), Way.QUALITY), settings.seed() - 1)
                                    .highIncomplete()));
            context.say("by %s: set point of time-outs %.3f", name, setPoint);
            for (Way way : ways) {
                start(way);
            }
            for (SteeredService service : services.values()) {
                service.awaitControl();
            }
            for (Way way : ways) {
                if (way.isTrimmed()) {
                    train(mixes.get(0), way);
                    context.say(
                            "by %s: %s has learned: %s",
                            name, way.title(), services.get(way).fanOutState());
                }
            }
        }

        /** Lets a model learn under a load that the service can carry. */
        private void train(QueryMix mix, Way way) throws InterruptedException {
            SteeredService service = services.get(way);
            Duration length =
                    Duration.ofSeconds(context.choose(2, settings.trainingSeconds(), settings.trainingSeconds()));
            service.measureAll();
            ArrivalTrace trace = pools.lowOnly(
                    new QueryMix(mix.name(), mix.phases().subList(0, 1)),
                    settings.trainingLoad() * capacities.get(mix),
                    length,
                    settings.seed() - 2);
            generator.run(
                    service.target(),
                    trace,
                    settings.seed() + 1_000_003L * ++runs,
                    (arrival, latencyMicros, body) -> {});
            service.measureSome();
            if (context.effort() != Context.BenchmarkEffort.TINY) {
                service.awaitFanOut(LEAST_LEARNED);
            }
        }

        private void start(Way way) {
            services.computeIfAbsent(way, w -> new SteeredService(w, settings, setPoint, index, kafka));
        }

        /** Measures the capacity for a mix. The first calibration also warms the service up, and is longer. */
        private double capacity(QueryMix mix, QueryWriter writer, boolean first) throws InterruptedException {
            if (context.effort() == Context.BenchmarkEffort.TINY) {
                return UNMEASURED_CAPACITY;
            }
            Calibration brief = new Calibration(32, 6, 4, 0.15, 16);
            Calibration calibration = first ? Calibration.THOROUGH : brief;
            return calibration
                    .find(
                            generator,
                            services.get(Way.QUALITY).calibrationPort(),
                            writer,
                            new QueryMix(mix.name(), mix.phases().subList(0, 1)),
                            settings.seed())
                    .perSecond();
        }

        void compare(List<Table> tables, List<LinePlot> plots, List<String> notes) throws Exception {
            SubjectComparison<SteeringSubject, RunFigures> comparison = new SubjectComparison<
                            SteeringSubject, RunFigures>(context)
                    .warmUps(0)
                    .progress(this::line);
            List<QueryMix> mixes = List.copyOf(capacities.keySet());
            for (QueryMix mix : mixes) {
                for (Way way : ways) {
                    SteeringSubject subject = new SteeringSubject(mix, way);
                    comparison.add(subject, round -> run(subject, settings.seed() + 100L * round + mixes.indexOf(mix)));
                }
            }
            Map<SteeringSubject, Repetitions<RunFigures>> results = comparison.run();
            tables.add(table(results));
            if (mixes.stream().anyMatch(mix -> settings.moment(mix).isPresent())) {
                tables.add(moments(results));
            }
            for (QueryMix mix : mixes) {
                plots.add(plot(
                                "quality of the high class, " + mix.name() + ", by " + name,
                                mix,
                                results,
                                RunFigures::highBySlice)
                        .threshold(settings.objective()));
                plots.add(plot(
                        "good low-class answers/s, " + mix.name() + ", by " + name,
                        mix,
                        results,
                        RunFigures::goodBySlice));
            }
            notes.add(Phrase.of(
                    "by %s: capacities %s queries/s; set point of time-outs %.3f, tuned on mix '%s' and kept",
                    name,
                    mixes.stream()
                            .map(m -> Phrase.of("%.0f (%s)", capacities.get(m), m.name()))
                            .toList(),
                    setPoint,
                    mixes.get(0).name()));
            for (Way way : ways) {
                if (way.isTrimmed()) {
                    notes.add("by "
                            + name
                            + ": "
                            + way.title()
                            + " at the end: "
                            + services.get(way).fanOutState());
                }
            }
            if (lagMillis > ACCEPTABLE_LAG_MILLIS) {
                notes.add(
                        Phrase.of("by %s: the load generator was late, p99 %.1f ms in the worst run", name, lagMillis));
            }
        }

        private RunFigures run(SteeringSubject subject, long seed) throws InterruptedException {
            ArrivalTrace trace = pools.trace(
                    subject.mix(), capacities.get(subject.mix()), subject.way() != Way.NO_SHARING, lead, counted, seed);
            Queue<RunFigures.Received> answers = new ConcurrentLinkedQueue<>();
            LoadResult load = generator.run(
                    services.get(subject.way()).target(),
                    trace,
                    // Query ids are unique over all runs.
                    settings.seed() + 1_000_003L * ++runs,
                    (arrival, latencyMicros, body) ->
                            answers.add(new RunFigures.Received(arrival, latencyMicros, body)));
            TimeUnit.MILLISECONDS.sleep(BETWEEN_RUNS.toMillis());
            jobs.forEach(JobProcess::requireAlive);
            lagMillis = Math.max(lagMillis, load.generator().p99LagMillis());
            return RunFigures.of(
                    settings.moment(subject.mix()).isPresent() ? settings.withSliceSeconds(1) : settings,
                    pools::fullAnswer,
                    trace,
                    lead,
                    answers,
                    load.generator().p99LagMillis());
        }

        private String line(SteeringSubject subject, RunFigures figures) {
            return Phrase.of(
                    "%-6s %-6s %-22s high %.3f  low %4.0f good/s",
                    name, subject.mix().name(), subject.way().title(), figures.highQuality(), figures.goodPerSecond());
        }

        private Table table(Map<SteeringSubject, Repetitions<RunFigures>> results) {
            Table table = new Table("Partitions by " + name);
            results.forEach((subject, runs) -> table.row()
                    .cell("mix", subject.mix().name())
                    .cell("way", subject.way().title())
                    .cell("good/s", runs.mean(RunFigures::goodPerSecond), 0)
                    .cell("± good", runs.halfWidth(RunFigures::goodPerSecond), 0)
                    .cell("high q", runs.mean(RunFigures::highQuality), 3)
                    .cell("± high", runs.halfWidth(RunFigures::highQuality), 3)
                    .cell("off", runs.mean(RunFigures::offObjective), 3)
                    .cell("low q", runs.mean(RunFigures::lowQuality), 3)
                    .cell("below .5", runs.mean(RunFigures::lowBelowHalf), 3)
                    .cell("answered", runs.mean(RunFigures::lowAnswered), 2));
            return table;
        }

        /**
         * A table of the times to return and to open in each moment: means of the runs, or "never" if one run has
         * "never".
         */
        private Table moments(Map<SteeringSubject, Repetitions<RunFigures>> results) {
            Table table = new Table("Moments by " + name);
            results.forEach((subject, runs) -> settings.moment(subject.mix()).ifPresent(moment -> table.row()
                    .cell("moment", subject.mix().name())
                    .cell("way", subject.way().title())
                    .cell(
                            "s to return",
                            seconds(runs.mean(run -> settings.sliceSeconds()
                                    * moment.slicesToReturn(run.highBySlice(), settings.objective()))))
                    .cell(
                            "s to open",
                            seconds(runs.mean(run -> settings.sliceSeconds()
                                    * moment.slicesToOpen(run.goodBySlice(), capacities.get(subject.mix())))))));
            return table;
        }

        private static String seconds(double mean) {
            return Double.isInfinite(mean) ? "never" : Phrase.of("%.0f", mean);
        }

        private LinePlot plot(
                String title,
                QueryMix mix,
                Map<SteeringSubject, Repetitions<RunFigures>> results,
                Function<RunFigures, double[]> bySlice) {
            LinePlot plot = new LinePlot(title, "seconds");
            for (Way way : ways) {
                Repetitions<RunFigures> runs = results.get(new SteeringSubject(mix, way));
                int slices = bySlice.apply(runs.last()).length;
                double sliceSeconds = counted.toMillis() / 1e3 / slices;
                plot.line(
                        way.title(),
                        IntStream.range(0, slices)
                                .mapToDouble(i -> (i + 0.5) * sliceSeconds)
                                .toArray(),
                        IntStream.range(0, slices)
                                .mapToDouble(i -> runs.mean(run -> bySlice.apply(run)[i]))
                                .toArray());
            }
            return plot;
        }

        @Override
        public void close() {
            services.values().forEach(SteeredService::close);
            generator.close();
        }
    }
}
