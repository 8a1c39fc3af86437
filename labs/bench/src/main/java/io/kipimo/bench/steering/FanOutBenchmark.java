package io.kipimo.bench.steering;

import io.kipimo.bench.report.Benchmark;
import io.kipimo.bench.report.Context;
import io.kipimo.bench.report.Result;
import io.kipimo.bench.report.Table;
import io.kipimo.core.quality.fanout.model.ContributionLearner;
import io.kipimo.core.quality.fanout.model.ContributionModel;
import io.kipimo.core.quality.fanout.model.FanOut;
import io.kipimo.core.quality.fanout.model.FanOutChoice;
import io.kipimo.core.quality.fanout.model.FanOutPoint;
import io.kipimo.examples.search.corpus.Corpus;
import io.kipimo.examples.search.index.Partition;
import io.kipimo.examples.search.index.PartitionedIndex;
import io.kipimo.examples.search.workload.QueryMix;
import io.kipimo.examples.search.workload.QueryWriter;
import io.kipimo.schemas.deadline.FanOutFloor;
import io.kipimo.schemas.quality.Completeness;
import io.kipimo.schemas.quality.ComponentShare;
import io.kipimo.schemas.quality.Estimate;
import io.kipimo.schemas.quality.Features;
import io.kipimo.schemas.quality.Measurement;
import io.kipimo.schemas.quality.Outcome;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;

/**
 * Measures what a learned choice of components saves and how much quality it keeps, without load. Contributions and
 * processor times come from real Lucene. A model learns some queries, and other queries judge it.
 */
public final class FanOutBenchmark implements Benchmark {
    private static final String SERVICE = "search";
    private static final int KILOBYTE = 1024;

    /** Sizes of the model's table that are compared. */
    private static final int[] KILOBYTES = {32, 128, 2_048};

    /** Number of steps of the judged floors, which are multiples of a hundredth. */
    private static final int FLOOR_STEPS = 100;

    private static final double[] EFFORTS = {0.3, 0.5, 0.7};

    /** Numbers of queries that the model learned after a shift. 100 stands for 2,000 queries at 5 % sampling. */
    private static final int[] AFTER_SHIFT = {0, 100, 500, 2_000};

    /** Mean quality that choices are to keep. */
    private static final double OBJECTIVE = 0.95;

    private final SteeringSettings settings = SteeringSettings.read();

    /** A query of one phase, with its features and its full search. */
    private record QuerySample(long[] words, long[] features, FullSearch search) {}

    @Override
    public Result run(Context context) {
        List<QueryMix> mixes = context.only(Context.MIXES, settings.mixes(), settings.mixes(), QueryMix::name);
        List<Layout> layouts =
                context.only(Context.PARTITIONINGS, List.of(Layout.values()), List.of(Layout.values()), Layout::title);
        int learned = context.choose(600, 3_000, 6_000);
        int judged = context.choose(200, 1_000, 4_000);
        context.say("building the index");
        Corpus corpus = Corpus.load();
        PartitionedIndex bySource = PartitionedIndex.skewed(corpus);
        Table choices = new Table("Choices that keep a mean quality of 0.95");
        Table sizes = new Table("Features and size of the table");
        Table advice = new Table("Advice against truth");
        Table shift = new Table("After a shift of topics, choices with floor 0.95");
        for (Layout layout : layouts) {
            PartitionedIndex index = layout.of(corpus, bySource, settings, context.choose(200, 6_000, 6_000));
            for (QueryMix mix : mixes) {
                context.say("by %s, mix '%s'", layout.title(), mix.name());
                QueryMix.MixPhase first = mix.at(0);
                List<QuerySample> teaching = draw(index, bySource, first, learned, settings.seed());
                List<QuerySample> judging = draw(index, bySource, first, judged, ~settings.seed());
                ContributionLearner learner = new ContributionLearner(
                        SERVICE, names(index), ContributionModel.MOST_BYTES, ContributionLearner.HALF_LIFE_QUERIES);
                learn(learner, teaching, true);
                ContributionModel model = learner.model(1, 0);
                double[] costs = model.table().costs();
                List<JudgedChoices> chosen = judge(model, judging);
                JudgedChoices atFloor = chosen.get((int) Math.round(settings.fanOutFloor() * FLOOR_STEPS));
                choices.row()
                        .cell("mix", mix.name())
                        .cell("partitions", layout.title())
                        .cell("CPU", figureAt(chosen, JudgedChoices::quality, OBJECTIVE, JudgedChoices::cpu), 2)
                        .cell(
                                "below .5",
                                figureAt(chosen, JudgedChoices::quality, OBJECTIVE, JudgedChoices::belowHalf),
                                3)
                        .cell(
                                "fixed: CPU",
                                figureAt(
                                        fixed(teaching, judging, costs),
                                        JudgedChoices::quality,
                                        OBJECTIVE,
                                        JudgedChoices::cpu),
                                2)
                        .cell(
                                "perfect: CPU",
                                figureAt(perfect(judging), JudgedChoices::quality, OBJECTIVE, JudgedChoices::cpu),
                                2)
                        .cell("floor .93: CPU", atFloor.cpu, 2)
                        .cell("floor .93: quality", atFloor.quality, 3)
                        .cell("floor .93: below .5", atFloor.belowHalf, 3);
                advise(advice, mix, layout, names(index), teaching, chosen);
                for (int kilobytes : KILOBYTES) {
                    size(sizes, mix, layout, names(index), teaching, true, kilobytes);
                    size(sizes, mix, layout, names(index), teaching, false, kilobytes);
                }
                if (mix.phases().size() > 1) {
                    shift(shift, mix, layout, index, bySource, learner, context);
                }
            }
        }
        return new Result(List.of(choices, sizes, advice, shift), List.of());
    }

    /** Means over the judged queries, for the choices with one floor or at one point of another order. */
    private record JudgedChoices(double cpu, double quality, double belowHalf) {}

    private List<QuerySample> draw(
            PartitionedIndex index, PartitionedIndex vocabulary, QueryMix.MixPhase phase, int count, long seed) {
        QueryWriter writer = new QueryWriter(vocabulary.vocabulary());
        SplittableRandom random = new SplittableRandom(seed);
        List<String> texts =
                random.ints(count).mapToObj(i -> writer.write(phase, random)).toList();
        return texts.parallelStream()
                .map(text -> new QuerySample(
                        Features.ofTexts(List.of(text.split("\\s+"))).hashes(),
                        index.forecast().features(text).hashes(),
                        FullSearch.of(index, text, settings.topK())))
                .filter(sample -> sample.search.ids().length > 0)
                .toList();
    }

    private static List<String> names(PartitionedIndex index) {
        return index.partitions().stream().map(Partition::name).toList();
    }

    private static void learn(ContributionLearner learner, List<QuerySample> samples, boolean withFrequencies) {
        for (QuerySample sample : samples) {
            learner.learn(
                    withFrequencies ? sample.features : sample.words,
                    sample.search.contributions(),
                    sample.search.cpuMicros());
        }
    }

    /** Cost and quality of the choices with each floor, floors ascending. */
    private static List<JudgedChoices> judge(ContributionModel model, List<QuerySample> samples) {
        List<String> names = model.components();
        return IntStream.rangeClosed(0, FLOOR_STEPS)
                .mapToObj(step -> judged(
                        samples,
                        sample -> isAsked(
                                names,
                                FanOutChoice.choose(
                                                model,
                                                sample.features,
                                                names,
                                                Double.POSITIVE_INFINITY,
                                                (double) step / FLOOR_STEPS)
                                        .asked())))
                .toList();
    }

    private static boolean[] isAsked(List<String> names, List<String> asked) {
        boolean[] isAsked = new boolean[names.size()];
        asked.forEach(name -> isAsked[names.indexOf(name)] = true);
        return isAsked;
    }

    private static JudgedChoices judged(List<QuerySample> samples, Function<QuerySample, boolean[]> choice) {
        double asked = 0;
        double all = 0;
        double quality = 0;
        int belowHalf = 0;
        for (QuerySample sample : samples) {
            boolean[] isAsked = choice.apply(sample);
            double kept = 0;
            for (int c = 0; c < isAsked.length; c++) {
                double cpu = sample.search.cpuMicros()[c];
                all += cpu;
                if (isAsked[c]) {
                    asked += cpu;
                    kept += sample.search.contributions()[c];
                }
            }
            double share = kept / sample.search.ids().length;
            quality += share;
            belowHalf += share < 0.5 ? 1 : 0;
        }
        int count = samples.size();
        return new JudgedChoices(asked / all, quality / count, (double) belowHalf / count);
    }

    /**
     * Judges one choice of components for all queries. It asks the components with most contribution for their work
     * first; each further point asks one more.
     */
    private static List<JudgedChoices> fixed(List<QuerySample> teaching, List<QuerySample> judging, double[] costs) {
        double[] contributed = new double[costs.length];
        for (QuerySample sample : teaching) {
            for (int c = 0; c < costs.length; c++) {
                contributed[c] += sample.search.contributions()[c];
            }
        }
        int[] order = descending(contributed, costs);
        List<JudgedChoices> points = new ArrayList<>();
        boolean[] isAsked = new boolean[costs.length];
        for (int c : order) {
            isAsked[c] = true;
            points.add(judged(judging, sample -> isAsked));
        }
        return points;
    }

    /**
     * Judges, for each floor, the cheapest choice that keeps it. The choice is made for each query by its true
     * contributions.
     */
    private static List<JudgedChoices> perfect(List<QuerySample> samples) {
        return IntStream.rangeClosed(0, FLOOR_STEPS)
                .mapToObj(step -> judged(samples, sample -> cheapest(sample, (double) step / FLOOR_STEPS)))
                .toList();
    }

    private static boolean[] cheapest(QuerySample sample, double floor) {
        double[] contributions = sample.search.contributions();
        boolean[] isAsked = new boolean[contributions.length];
        double kept = 0;
        for (int c : descending(contributions, sample.search.cpuMicros())) {
            if (kept >= floor * sample.search.ids().length && kept > 0) {
                break;
            }
            isAsked[c] = true;
            kept += contributions[c];
        }
        return isAsked;
    }

    /** Components by contribution per processor time, the highest first. */
    private static int[] descending(double[] contributions, double[] work) {
        return IntStream.range(0, work.length)
                .boxed()
                .sorted(Comparator.comparingDouble(c -> -contributions[c] / work[c]))
                .mapToInt(c -> c)
                .toArray();
    }

    /**
     * Interpolates between points: a figure at the place where another figure first reaches a value.
     *
     * @param points by ascending {@code at}
     * @return NaN: the value is not reached, or already exceeded by the first point
     */
    static <T> double figureAt(List<T> points, ToDoubleFunction<T> at, double value, ToDoubleFunction<T> figure) {
        for (int i = 0; i < points.size(); i++) {
            double above = at.applyAsDouble(points.get(i));
            if (above >= value) {
                if (i == 0) {
                    return above == value ? figure.applyAsDouble(points.get(0)) : Double.NaN;
                }
                double below = at.applyAsDouble(points.get(i - 1));
                double part = (value - below) / (above - below);
                return (1 - part) * figure.applyAsDouble(points.get(i - 1))
                        + part * figure.applyAsDouble(points.get(i));
            }
        }
        return Double.NaN;
    }

    /** The floors that the learner tried itself, ascending. The last one asks all components. */
    private static List<FanOutFloor> tried(ContributionLearner learner) {
        List<FanOutFloor> floors = new ArrayList<>(learner.curve().learned());
        Collections.reverse(floors);
        floors.add(new FanOutFloor(1, 1, new Estimate(1, 1, 1), 0));
        return floors;
    }

    /**
     * Adds rows with the predictions of {@code ./kipimo fanout} for choices, and with the effect of these choices on
     * other queries.
     */
    private void advise(
            Table table,
            QueryMix mix,
            Layout layout,
            List<String> names,
            List<QuerySample> samples,
            List<JudgedChoices> truth) {
        FanOut fanOut = new FanOut();
        samples.forEach(s -> fanOut.add(measurement(names, s.search), Features.of(s.features)));
        List<FanOutPoint> told = new ArrayList<>(fanOut.advice(OBJECTIVE).learned());
        Collections.reverse(told);
        for (double effort : EFFORTS) {
            double low =
                    figureAt(told, FanOutPoint::effort, effort, p -> p.quality().low());
            double high =
                    figureAt(told, FanOutPoint::effort, effort, p -> p.quality().high());
            double measured = figureAt(truth, JudgedChoices::cpu, effort, JudgedChoices::quality);
            table.row()
                    .cell("mix", mix.name())
                    .cell("partitions", layout.title())
                    .cell("effort", effort, 1)
                    .cell("low", low, 3)
                    .cell(
                            "predicted",
                            figureAt(told, FanOutPoint::effort, effort, p -> p.quality()
                                    .mean()),
                            3)
                    .cell("high", high, 3)
                    .cell("measured", measured, 3)
                    .cell(
                            "within",
                            Double.isNaN(low) || Double.isNaN(measured)
                                    ? null
                                    : low <= measured && measured <= high ? "yes" : "no");
        }
    }

    /** The measurement of a query that all partitions searched in full. */
    private static Measurement measurement(List<String> names, FullSearch search) {
        return Measurement.builder()
                .service(SERVICE)
                .queryId("")
                .queryClass("")
                .completeness(Completeness.COMPLETE)
                .components(IntStream.range(0, names.size())
                        .mapToObj(c -> new ComponentShare(
                                names.get(c),
                                Outcome.IN_TIME,
                                Math.round(search.cpuMicros()[c]),
                                false,
                                0,
                                search.contributions()[c]))
                        .toList())
                .build();
    }

    private static void size(
            Table table,
            QueryMix mix,
            Layout layout,
            List<String> names,
            List<QuerySample> samples,
            boolean withFrequencies,
            int kilobytes) {
        ContributionLearner learner = ContributionLearner.ofAnySize(SERVICE, names, kilobytes * KILOBYTE);
        learn(learner, samples, withFrequencies);
        List<FanOutFloor> tried = tried(learner);
        table.row()
                .cell("mix", mix.name())
                .cell("partitions", layout.title())
                .cell("features", withFrequencies ? "words, frequencies" : "words")
                .cell("KB", kilobytes)
                .cell(
                        "quality at effort .5",
                        figureAt(tried, FanOutFloor::effort, 0.5, f -> f.quality()
                                .mean()),
                        3)
                .cell(
                        "at .7",
                        figureAt(tried, FanOutFloor::effort, 0.7, f -> f.quality()
                                .mean()),
                        3)
                .cell("effort for .95", figureAt(tried, f -> f.quality().mean(), OBJECTIVE, FanOutFloor::effort), 2)
                .cell("calibrated", learner.curve().calibrated() ? "yes" : "no");
    }

    private void shift(
            Table table,
            QueryMix mix,
            Layout layout,
            PartitionedIndex index,
            PartitionedIndex vocabulary,
            ContributionLearner learner,
            Context context) {
        QueryMix.MixPhase after = mix.at(1);
        int most = context.choose(200, 2_000, 5_000);
        List<QuerySample> teaching = draw(index, vocabulary, after, most, settings.seed());
        List<QuerySample> judging = draw(index, vocabulary, after, context.choose(200, 1_000, 3_000), ~settings.seed());
        int learned = 0;
        for (int next : AFTER_SHIFT) {
            int until = Math.min(next, teaching.size());
            learn(learner, teaching.subList(learned, until), true);
            learned = until;
            ContributionModel model = learner.model(1, 0);
            JudgedChoices judged = judge(model, judging).get((int) Math.round(OBJECTIVE * FLOOR_STEPS));
            table.row()
                    .cell("mix", mix.name())
                    .cell("partitions", layout.title())
                    .cell("learned since", learned)
                    .cell("quality", judged.quality, 3)
                    .cell("CPU", judged.cpu, 2)
                    .cell("calibrated", learner.curve().calibrated() ? "yes" : "no");
        }
    }
}
