package io.kipimo.cli.rating;

import io.kipimo.cli.terminal.ScatterPlot;
import io.kipimo.cli.terminal.TextTable;
import io.kipimo.core.rating.RatingProtocol;
import io.kipimo.schemas.document.JsonObject;
import io.kipimo.schemas.rating.AgreementTerms;
import io.kipimo.schemas.rating.ExperimentCounts;
import io.kipimo.schemas.rating.LoadModel;
import io.kipimo.schemas.rating.Rating;
import io.kipimo.schemas.rating.RatingRequest;
import io.kipimo.schemas.rating.RatingState;
import io.kipimo.schemas.rating.RatingTechnique;
import io.kipimo.schemas.rating.RatingTrial;
import io.kipimo.schemas.rating.TrialPurpose;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.function.DoubleFunction;
import java.util.function.ToDoubleFunction;

/** Writes a rating of a real target as text, as a JSON document, and as Markdown. */
final class RatingView {
    private static final int CURVE_HEIGHT = 9;
    private static final String MARKS = "o passed   x failed   ? void   * rating";

    private final Rating rating;
    private final RatingRequest request;

    RatingView(Rating rating) {
        this.rating = rating;
        this.request = rating.request();
    }

    /** Prints the result, the times, the curves and every experiment. */
    void print(PrintWriter out) {
        out.println(sentence());
        out.println(times());
        out.println();
        plot(out);
        table().print(out);
    }

    String sentence() {
        String found = rating.load() == 0
                ? "no rating"
                : String.format(
                        Locale.ROOT, "rating %s requests/s at %s", number(rating.throughput()), imposed(rating.load()));
        return "%s, %s, in %s experiments (%s): %s%s"
                .formatted(
                        found,
                        AgreementText.format(request.agreement()),
                        rating.trials().size(),
                        request.search().technique().name().toLowerCase(Locale.ROOT),
                        rating.state().text(),
                        rating.remark().isEmpty() ? "" : ": " + rating.remark());
    }

    String times() {
        return String.format(
                Locale.ROOT,
                "took %s; by the model of a rating's duration %s; noise %.1f %%",
                seconds(rating.elapsedMillis()),
                seconds(rating.predictedMillis()),
                100 * rating.noise());
    }

    /** Formats a load in its unit. */
    String imposed(long load) {
        return imposed(request, load);
    }

    static String imposed(RatingRequest request, long load) {
        double amount = RatingProtocol.amount(request.experiments(), load);
        if (isSqueezed(request)) {
            return number(amount) + " % of the traffic";
        }
        return request.experiments().model() == LoadModel.OPEN
                ? number(amount) + " requests/s imposed"
                : number(amount) + (amount == 1 ? " user" : " users");
    }

    private static boolean isSqueezed(RatingRequest request) {
        return request.search().technique() == RatingTechnique.SQUEEZE;
    }

    /** Title of the axis of loads. */
    String loadTitle() {
        if (isSqueezed(request)) {
            return "% of the traffic";
        }
        return request.experiments().model() == LoadModel.OPEN ? "requests/s imposed" : "users";
    }

    /**
     * A figure of every experiment, plotted against the experiment's load.
     *
     * @param promised bound of the figure in the agreement; empty: none
     */
    record LoadCurve(
            String title, DoubleFunction<String> label, ToDoubleFunction<RatingTrial> value, OptionalDouble promised) {}

    List<LoadCurve> curves() {
        AgreementTerms agreement = request.agreement();
        List<LoadCurve> curves = new ArrayList<>();
        curves.add(new LoadCurve(
                "requests/s served", RatingView::number, RatingTrial::throughput, OptionalDouble.empty()));
        curves.add(new LoadCurve(
                "p95, ms",
                RatingView::number,
                t -> t.p95Micros() / 1e3,
                agreement.leastWithin() == 0.95
                        ? OptionalDouble.of(agreement.boundMicros() / 1e3)
                        : OptionalDouble.empty()));
        curves.add(new LoadCurve(
                "% within " + number(agreement.boundMicros() / 1e3) + " ms",
                RatingView::number,
                t -> 100 * share(t.counts().within(), t.counts().requests()),
                OptionalDouble.of(100 * agreement.leastWithin())));
        if (rating.trials().stream().anyMatch(t -> t.counts().scored() > 0)) {
            curves.add(new LoadCurve(
                    "quality",
                    v -> String.format(Locale.ROOT, "%.2f", v),
                    RatingView::quality,
                    agreement.leastQuality() > 0
                            ? OptionalDouble.of(agreement.leastQuality())
                            : OptionalDouble.empty()));
        }
        return curves;
    }

    private void plot(PrintWriter out) {
        for (LoadCurve curve : curves()) {
            ScatterPlot plot = new ScatterPlot(curve.label(), CURVE_HEIGHT);
            RatingTrial rated = null;
            for (RatingTrial trial : rating.trials()) {
                plot.point(amount(trial), curve.value().applyAsDouble(trial), mark(trial));
                rated = isRated(trial) ? trial : rated;
            }
            if (rated != null) {
                plot.point(amount(rated), curve.value().applyAsDouble(rated), '*');
            }
            plot.print(out, loadTitle(), curve.title() + "   " + MARKS);
            out.println();
        }
    }

    double amount(RatingTrial trial) {
        return RatingProtocol.amount(request.experiments(), trial.load());
    }

    String target() {
        return request.target();
    }

    List<RatingTrial> trials() {
        return rating.trials();
    }

    /** Tells whether the rating is this experiment's load. */
    boolean isRated(RatingTrial trial) {
        return trial.load() == rating.load() && !trial.isVoid() && trial.purpose() != TrialPurpose.NOISE;
    }

    /** The table's rows: titles first, then one row for each experiment. */
    List<List<String>> rows() {
        List<List<String>> rows = new ArrayList<>(List.of(TITLES));
        rating.trials().forEach(trial -> rows.add(row(trial)));
        return rows;
    }

    private static char mark(RatingTrial trial) {
        return switch (trial.verdict()) {
            case PASSED -> 'o';
            case FAILED -> 'x';
            case BOTTLENECK, LOST -> '?';
        };
    }

    private static final List<String> TITLES = List.of(
            "experiment",
            "load",
            "for",
            "served/s",
            "p50 ms",
            "p95 ms",
            "p99 ms",
            "within",
            "errors",
            "quality",
            "seconds",
            "verdict",
            "");

    private TextTable table() {
        TextTable table = new TextTable(TITLES);
        rating.trials().forEach(trial -> table.row(row(trial)));
        return table;
    }

    private List<String> row(RatingTrial trial) {
        ExperimentCounts counts = trial.counts();
        return List.of(
                Integer.toString(trial.number()),
                number(amount(trial)),
                trial.purpose().name().toLowerCase(Locale.ROOT),
                number(trial.throughput()),
                number(trial.p50Micros() / 1e3),
                number(trial.p95Micros() / 1e3),
                number(trial.p99Micros() / 1e3),
                percent(share(counts.within(), counts.requests())),
                percent(share(counts.errors(), counts.requests())),
                counts.scored() == 0 ? "" : String.format(Locale.ROOT, "%.3f", quality(trial)),
                number(trial.measuredMillis() / 1e3),
                trial.verdict().name().toLowerCase(Locale.ROOT),
                isRated(trial) && trial.remark().isEmpty() ? "rated" : trial.remark());
    }

    /** Formats an experiment as one line of progress. */
    String line(RatingTrial trial) {
        List<String> row = row(trial);
        StringBuilder line = new StringBuilder("experiment " + row.get(0));
        for (int i = 1; i < row.size(); i++) {
            if (!row.get(i).isEmpty()) {
                line.append(i == TITLES.size() - 1 ? ": " : ", " + TITLES.get(i) + " ");
                line.append(row.get(i));
            }
        }
        return line.toString();
    }

    JsonObject document() {
        return new JsonObject()
                .with("id", rating.ratingId())
                .with("state", rating.state().name())
                .with("rating", RatingReport.decimal(rating.throughput()))
                .with("load", rating.load())
                .with(
                        "imposed",
                        RatingReport.decimal(
                                rating.load() == 0 ? 0 : RatingProtocol.amount(request.experiments(), rating.load())))
                .with("experiments", rating.trials().size())
                .with("remark", rating.remark())
                .with("target", request.target())
                .with("sla", AgreementText.format(request.agreement()))
                .with("noise", RatingReport.decimal(rating.noise()))
                .withFields(rating, "elapsed_millis", "predicted_millis")
                .with("trials", rating.trials().stream().map(this::document).toList());
    }

    private Map<String, Object> document(RatingTrial trial) {
        ExperimentCounts counts = trial.counts();
        return new JsonObject()
                .withFields(trial, "number", "load")
                .with("imposed", RatingReport.decimal(amount(trial)))
                .withFields(trial, "purpose", "verdict")
                .with("throughput", RatingReport.decimal(trial.throughput()))
                .with("requests", counts.requests())
                .with("within", RatingReport.decimal(share(counts.within(), counts.requests())))
                .with("errors", RatingReport.decimal(share(counts.errors(), counts.requests())))
                .with("unpredictable", RatingReport.decimal(share(counts.unpredictable(), counts.reads())))
                .with("quality", counts.scored() == 0 ? null : RatingReport.decimal(quality(trial)))
                .withFields(trial, "p50_micros", "p95_micros", "p99_micros")
                .withFields(trial, "prepare_millis", "measured_millis", "remark");
    }

    /** Writes the report as Markdown: the result, the curves and the experiments. */
    void markdown(PrintWriter out) {
        out.println("# Rating of `" + request.target() + "`");
        out.println();
        out.println(sentence() + ".");
        out.println();
        out.println(times() + ".");
        out.println();
        out.println("## Load against throughput, latency and quality");
        out.println();
        out.println("```");
        plot(out);
        out.println("```");
        out.println();
        out.println("## Experiments");
        out.println();
        out.println("| " + String.join(" | ", TITLES) + " |");
        out.println("|" + " --- |".repeat(TITLES.size()));
        for (RatingTrial trial : rating.trials()) {
            List<String> cells = new ArrayList<>(row(trial));
            cells.replaceAll(cell -> cell.replace("|", "\\|"));
            out.println("| " + String.join(" | ", cells) + " |");
        }
    }

    boolean isFound() {
        return rating.state() == RatingState.FOUND || rating.state() == RatingState.AT_LEAST;
    }

    private static double quality(RatingTrial trial) {
        ExperimentCounts counts = trial.counts();
        return counts.scored() == 0 ? 0 : counts.qualitySum() / counts.scored();
    }

    private static double share(long part, long whole) {
        return whole == 0 ? 0 : (double) part / whole;
    }

    static String number(double value) {
        return String.format(Locale.ROOT, value < 100 && value != Math.rint(value) ? "%.1f" : "%,.0f", value);
    }

    private static String percent(double share) {
        return String.format(Locale.ROOT, "%.2f %%", 100 * share);
    }

    private static String seconds(long millis) {
        return String.format(Locale.ROOT, "%.1f s", millis / 1e3);
    }
}
