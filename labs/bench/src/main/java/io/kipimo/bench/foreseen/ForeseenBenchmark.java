package io.kipimo.bench.foreseen;

import io.kipimo.bench.foreseen.Foresight.Known;
import io.kipimo.bench.report.Benchmark;
import io.kipimo.bench.report.Context;
import io.kipimo.bench.report.Result;
import io.kipimo.bench.report.Table;
import io.kipimo.schemas.completeness.CalibrationBin;
import io.kipimo.simulator.report.Phrase;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.IntToDoubleFunction;
import java.util.stream.IntStream;

/**
 * Measures how well online models predict which answers will be complete: at the start of the query, at a third and at
 * 0.8 of the deadline (Ubora, figure 10), in scenario {@code ubora}.
 */
public final class ForeseenBenchmark implements Benchmark {
    /** Least quality of a good answer. */
    private static final double GOOD = 0.9;

    /** Greatest share of wrong decisions among the mature executions that a model skips. */
    private static final double MOST_WRONG = 0.02;

    /** Greatest error of a predicted probability that still passes. */
    private static final double MOST_OFF = 0.05;

    private static final List<Moment> MOMENTS = List.of(Moment.START, Moment.THIRD, Moment.LATE);

    private final Table foreseen = new Table("Foreseen, of answers that are still open");
    private final Table reliability = tenths("Of tenths of the predicted probability of a complete answer");

    private static Table tenths(String title) {
        return new Table(title + ": mean predicted, mean measured (answers)");
    }

    @Override
    public Result run(Context context) {
        List<Recording> recordings = SimulatedRecording.recordings(context);
        context.say(
                "judging %d queries",
                recordings.stream().mapToInt(Recording::size).sum());
        List<Foresight> models = recordings.stream().map(Foresight::new).toList();
        foresee("complete", models, r -> i -> r.isComplete(i) ? 1 : 0);
        foresee("quality .9", models, r -> i -> r.quality(i) >= GOOD ? 1 : 0);
        return new Result(
                List.of(foreseen, reliability),
                List.of("skipped: mature executions with the highest predictions, of which at most " + MOST_WRONG
                        + " are wrong, found in hindsight; the paper says 0.6"));
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

    private void foresee(String what, List<Foresight> models, Function<Recording, IntToDoubleFunction> figure) {
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
            tenths(reliability, what + ", " + moment.title(), all, by.get(Known.BASE_RATE));
        }
    }

    private static void tenths(Table table, String at, Predictions all, Predictions baseRate) {
        Table.Row row = table.row()
                .cell("at", at)
                .cell("error", all.calibrationError(), 3)
                .cell("tenths off by " + MOST_OFF, all.tenthsOff(MOST_OFF))
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
}
