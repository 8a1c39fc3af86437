package io.kipimo.bench.foreseen;

import io.kipimo.bench.foreseen.Foresight.Known;
import io.kipimo.bench.report.Benchmark;
import io.kipimo.bench.report.Context;
import io.kipimo.bench.report.Repetitions;
import io.kipimo.bench.report.Result;
import io.kipimo.bench.report.Table;
import io.kipimo.examples.search.corpus.Corpus;
import io.kipimo.examples.search.index.PartitionedIndex;
import io.kipimo.schemas.completeness.CalibrationBin;
import io.kipimo.simulator.report.Phrase;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.IntToDoubleFunction;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;

/**
 * Which answers will be complete, as online models foresee it at the start, at a third and at .8 of the deadline
 * (Ubora, figure 10). Three decisions use it: copies of calls, thinner samples, and completeness announced before the
 * deadline. On recorded queries of real services and of the simulator; a decision pays if it reaches a bar that was
 * fixed before.
 */
public final class ForeseenBenchmark implements Benchmark {
    /** Good answers by copies, relative to those of hedging with as many copies. */
    private static final double COPIES_BAR = 1.2;

    /** Error of the mean quality, relative to that of alike samples with as much late work. */
    private static final double THINNING_BAR = 0.7;

    private static final double LEAST_COVER = 0.93;
    private static final double MOST_COVER = 0.98;

    /** Distance of announced and measured quality in a tenth of the answers, as for the promises of the fan-out. */
    private static final double ANNOUNCED_BAR = 0.05;

    /** Answers below which a tenth of the announced quality shows nothing. */
    private static final long LEAST_IN_BIN = 100;

    /** Wrong ones of skipped mature executions. */
    private static final double MOST_WRONG = 0.02;

    private static final double[] COPY_SHARES = {0.05, 0.1};
    private static final List<Moment> MOMENTS = List.of(Moment.START, Moment.THIRD, Moment.LATE);
    private static final long SEED = 1;
    private static final String STRATIFIED = "stratified";
    private static final String ASSISTED = "assisted";
    private static final String WEIGHTS = "weights alone";
    private static final String SAME = "same predictions";

    private final Table foreseen = new Table("Foreseen, of answers that are still open");
    private final Table reliability = tenths("Of tenths of the predicted probability of a complete answer");
    private final Table copies = new Table("Good answers with copies at a third of the deadline");
    private final Table thinned =
            new Table("Mean quality of windows of 500 answers, a tenth of the late calls matured");
    private final Table announced = tenths("Of tenths of the announced quality");
    private final Table verdicts = new Table("Verdicts");

    private static Table tenths(String title) {
        return new Table(title + ": mean predicted, mean measured (answers)");
    }

    @Override
    public Result run(Context context) throws Exception {
        context.say("building the index");
        Corpus corpus = Corpus.load();
        PartitionedIndex index = PartitionedIndex.skewed(corpus);
        return judge(
                context, List.of(new SearchSubject(index), new SolrSubject(corpus, index), new SimulatedSubject()));
    }

    Result judge(Context context, List<Subject> subjects) throws Exception {
        List<String> notes = new ArrayList<>();
        for (Subject subject : subjects) {
            Optional<String> whyNot = subject.whyNot();
            if (whyNot.isPresent()) {
                notes.add(subject.name() + " is missing: " + whyNot.get());
            } else {
                judge(subject.name(), subject.record(context), context);
            }
        }
        notes.add("skipped: mature executions with the highest predictions, of which at most " + MOST_WRONG
                + " are wrong, found in hindsight; the paper says 0.6");
        notes.add(
                "a copy takes what a recent call to the same component took, and loads nothing; hedged: calls later than"
                        + " the quantile that leaves the budget, at D/3 at the latest; the oracle knows what each copy brings");
        notes.add(
                "thinned: in proportion to the predicted spread of loss, or of what the assisted estimate leaves of it;"
                        + " 'weights alone' and 'same predictions': both without the product's estimators, by weights (Horvitz and"
                        + " Thompson), and with the assisted one's predictions");
        return new Result(List.of(foreseen, reliability, copies, thinned, announced, verdicts), notes);
    }

    private void judge(String service, List<Recording> recordings, Context context) {
        context.say(
                "%s: judging %d queries",
                service, recordings.stream().mapToInt(Recording::size).sum());
        List<Foresight> models = recordings.stream().map(Foresight::new).toList();
        foresee(service, "complete", models, r -> i -> r.isComplete(i) ? 1 : 0);
        foresee(service, "quality .9", models, r -> i -> r.quality(i) >= Copies.GOOD ? 1 : 0);
        copy(service, models);
        thin(service, models, context.choose(2, 20, 50));
        announce(service, models);
    }

    /** Predictions of all recordings together. */
    private static Predictions predictions(
            List<Foresight> models, Moment moment, Known known, Function<Recording, IntToDoubleFunction> figure) {
        return Predictions.of(
                models.stream()
                        .flatMapToDouble(m -> Arrays.stream(m.figure(moment, known, figure.apply(m.recording()))))
                        .toArray(),
                models.stream()
                        .map(Foresight::recording)
                        .flatMapToDouble(r -> IntStream.range(0, r.size()).mapToDouble(figure.apply(r)))
                        .toArray());
    }

    private void foresee(
            String service, String what, List<Foresight> models, Function<Recording, IntToDoubleFunction> figure) {
        for (Moment moment : MOMENTS) {
            Map<Known, Predictions> by = new EnumMap<>(Known.class);
            for (Known known : Known.values()) {
                by.put(known, predictions(models, moment, known, figure));
            }
            Predictions all = by.get(Known.ALL);
            double queries = models.stream().mapToInt(m -> m.recording().size()).sum();
            double open = models.stream()
                    .map(Foresight::recording)
                    .mapToLong(r -> IntStream.range(0, r.size())
                            .filter(i -> r.query(i).isOpen(moment.micros(r.deadlineMicros())))
                            .count())
                    .sum();
            foreseen.row()
                    .cell("service", service)
                    .cell("what", what)
                    .cell("at", moment.title())
                    .cell("open", open / queries, 3)
                    .cell("queries", all.size())
                    .cell("share", all.meanActual(), 3)
                    .cell("log loss: base rate", by.get(Known.BASE_RATE).logLoss(), 3)
                    .cell("log loss: load", by.get(Known.LOAD).logLoss(), 3)
                    .cell("log loss: load + kind", by.get(Known.KIND).logLoss(), 3)
                    .cell("log loss: all", all.logLoss(), 3)
                    .cell("AUC: load", by.get(Known.LOAD).areaUnderCurve(), 3)
                    .cell("AUC: load + kind", by.get(Known.KIND).areaUnderCurve(), 3)
                    .cell("AUC: all", all.areaUnderCurve(), 3)
                    .cell("calibration error", all.calibrationError(), 3)
                    .cell("skipped", all.skippable(MOST_WRONG), 3);
            tenths(reliability, service, what + ", " + moment.title(), all, by.get(Known.BASE_RATE));
        }
    }

    private static void tenths(Table table, String service, String at, Predictions all, Predictions baseRate) {
        Table.Row row = table.row()
                .cell("service", service)
                .cell("at", at)
                .cell("error", all.calibrationError(), 3)
                .cell("of base rate", all.rootMeanSquareError() / baseRate.rootMeanSquareError(), 2);
        int number = 0;
        for (CalibrationBin bin : all.bins()) {
            row.cell(
                    "." + number++,
                    bin.queries() == 0
                            ? "-"
                            : Phrase.of("%.2f, %.2f (%d)", bin.meanPredicted(), bin.meanMeasured(), bin.queries()));
        }
    }

    private void copy(String service, List<Foresight> models) {
        List<Copies> all = models.stream()
                .map(m -> new Copies(m.recording(), m.expectedLosses(Moment.THIRD), SEED))
                .toList();
        for (double share : COPY_SHARES) {
            Repetitions<Race> races = new Repetitions<>();
            all.stream().map(c -> Race.of(c, share)).forEach(races::add);
            ToDoubleFunction<Race> gain = race -> race.foreseen.good() / race.hedged.good();
            double[] gains = races.all().stream().mapToDouble(gain).sorted().toArray();
            copies.row()
                    .cell("service", service)
                    .cell("budget", share, 2)
                    .cell("none", races.mean(race -> race.none.good()), 3)
                    .cell("hedged", races.mean(race -> race.hedged.good()), 3)
                    .cell("foreseen", races.mean(race -> race.foreseen.good()), 3)
                    .cell("oracle", races.mean(race -> race.oracle.good()), 3)
                    .cell("copies: hedged", races.mean(race -> race.hedged.copies()), 3)
                    .cell("copies: foreseen", races.mean(race -> race.foreseen.copies()), 3)
                    .cell("foreseen : hedged", races.mean(gain), 3)
                    .cell("least", gains[0], 3)
                    .cell("most", gains[gains.length - 1], 3)
                    .cell("oracle : hedged", races.mean(race -> race.oracle.good() / race.hedged.good()), 3);
            verdict(service, "copies, " + share, races.mean(gain), "1.2 x hedged", races.mean(gain) >= COPIES_BAR);
        }
    }

    /** Copies of one recording; hedging may have as many as foresight had. */
    private record Race(
            Copies.PlanOutcome none,
            Copies.PlanOutcome hedged,
            Copies.PlanOutcome foreseen,
            Copies.PlanOutcome oracle) {
        static Race of(Copies copies, double share) {
            Copies.PlanOutcome foreseen = copies.foreseen(share);
            return new Race(
                    copies.none(), copies.hedged(foreseen.copies()), foreseen, copies.oracle(foreseen.copies()));
        }
    }

    private void thin(String service, List<Foresight> models, int repeats) {
        Map<String, Thinning.ThinningErrors[]> errors = new LinkedHashMap<>();
        for (String estimate : List.of(STRATIFIED, ASSISTED, WEIGHTS, SAME)) {
            errors.put(
                    estimate,
                    new Thinning.ThinningErrors[] {new Thinning.ThinningErrors(), new Thinning.ThinningErrors()});
        }
        for (Foresight foresight : models) {
            Thinning thinning = new Thinning(foresight.recording());
            double[] predicted = thinning.predictedLosses(SEED);
            double[] squares = foresight.figure(Moment.DEADLINE, Known.ALL, i -> Math.pow(thinning.loss(i), 2));
            double[] residuals = foresight.figure(
                    Moment.DEADLINE, Known.ALL, i -> Math.min(1, Math.pow(thinning.loss(i) - predicted[i], 2)));
            double[] even =
                    Arrays.stream(residuals).map(r -> Double.isNaN(r) ? r : 1).toArray();
            thinning.alike(residuals, repeats, SEED, errors.get(STRATIFIED)[0], errors.get(ASSISTED)[0]);
            thinning.thin(squares, false, repeats, SEED, errors.get(STRATIFIED)[1]);
            thinning.thin(residuals, true, repeats, SEED, errors.get(ASSISTED)[1]);
            thinning.thin(even, false, repeats, SEED, errors.get(WEIGHTS)[0]);
            thinning.thin(squares, false, repeats, SEED, errors.get(WEIGHTS)[1]);
            thinning.thin(even, true, repeats, SEED, errors.get(SAME)[0]);
            thinning.thin(residuals, true, repeats, SEED, errors.get(SAME)[1]);
        }
        errors.forEach((estimate, both) -> {
            double ratio = both[1].rootMeanSquare() / both[0].rootMeanSquare();
            thinned.row()
                    .cell("service", service)
                    .cell("estimate", estimate)
                    .cell("alike: error", both[0].rootMeanSquare(), 4)
                    .cell("alike: covered", both[0].cover(), 3)
                    .cell("thinned: error", both[1].rootMeanSquare(), 4)
                    .cell("thinned: covered", both[1].cover(), 3)
                    .cell("thinned : alike", ratio, 2)
                    .cell("windows", both[1].windows());
            boolean isCovered = both[1].cover() >= LEAST_COVER && both[1].cover() <= MOST_COVER;
            if (estimate.equals(STRATIFIED) || estimate.equals(ASSISTED)) {
                verdict(
                        service,
                        "thinning, " + estimate,
                        ratio,
                        "0.7 x alike, covered .93 to .98",
                        ratio <= THINNING_BAR && isCovered);
            }
        });
    }

    private void announce(String service, List<Foresight> models) {
        for (Moment moment : List.of(Moment.THIRD, Moment.LATE)) {
            Predictions all = predictions(models, moment, Known.ALL, r -> r::quality);
            Predictions baseRate = predictions(models, moment, Known.BASE_RATE, r -> r::quality);
            tenths(announced, service, moment.title(), all, baseRate);
            double worst = all.worstBin(LEAST_IN_BIN);
            verdict(service, "announced, " + moment.title(), worst, "0.05 off in each tenth", worst <= ANNOUNCED_BAR);
        }
    }

    private void verdict(String service, String decision, double figure, String bar, boolean pays) {
        verdicts.row()
                .cell("service", service)
                .cell("decision", decision)
                .cell("figure", figure, 3)
                .cell("bar", bar)
                .cell("verdict", Double.isNaN(figure) ? "too few answers" : pays ? "pays" : "does not pay");
    }
}
