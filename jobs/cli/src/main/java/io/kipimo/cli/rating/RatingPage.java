package io.kipimo.cli.rating;

import io.kipimo.schemas.rating.RatingTrial;
import io.kipimo.simulator.report.Html;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.TreeMap;
import java.util.function.DoubleFunction;
import java.util.function.ToDoubleFunction;

/** A rating as a self-contained HTML page. */
record RatingPage(RatingView view, Html html) {
    private static final int WIDTH = 860;
    private static final int HEIGHT = 218;
    private static final int LEFT = 64;
    private static final int RIGHT = 14;
    private static final int TOP = 30;
    private static final int BOTTOM = 24;
    private static final int TICKS = 5;

    /** Ratio of highest to lowest load above which the axis is logarithmic, because climbing multiplies the load. */
    private static final double WIDE = 20;

    private static final String PASSED = "#009e73";
    private static final String FAILED = "#d55e00";
    private static final String VOID = "#8c8c8c";
    private static final String RATED = "#0072b2";

    /** Returns the page of one rating, or of several successive ratings of one target. */
    static String of(List<RatingView> views) {
        Html html = new Html("Rating of " + views.get(0).target());
        views.forEach(view -> new RatingPage(view, html).add());
        return html.page();
    }

    private void add() {
        html.paragraph(view.sentence() + ".");
        html.paragraph(view.times() + ".");
        for (RatingView.LoadCurve curve : view.curves()) {
            html.drawing(drawing(curve));
        }
        html.paragraph("○ passed, × failed, ? void, ★ rating; dashed: the agreement.");
        html.table(view.rows());
    }

    private String drawing(RatingView.LoadCurve curve) {
        List<RatingTrial> trials =
                view.trials().stream().filter(t -> !t.isVoid()).toList();
        StringBuilder svg = new StringBuilder();
        add(
                svg,
                "<svg viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"%s\">",
                WIDTH,
                HEIGHT,
                Html.escape(curve.title()));
        add(svg, "<text x=\"%d\" y=\"16\" class=\"title\">%s</text>", LEFT, Html.escape(curve.title()));
        if (trials.isEmpty()) {
            return svg.append("</svg>\n").toString();
        }
        double highest = Math.max(
                trials.stream().mapToDouble(curve.value()).max().orElse(1),
                curve.promised().orElse(0));
        Axis y = Axis.linear(0, round(highest), HEIGHT - BOTTOM, TOP);
        Axis x = loads(trials);
        axes(svg, x, y, curve.label());
        promised(svg, curve.promised(), y);
        line(svg, trials, curve.value(), x, y);
        for (RatingTrial trial : view.trials()) {
            mark(svg, trial, x.at(view.amount(trial)), y.at(curve.value().applyAsDouble(trial)));
        }
        return svg.append("</svg>\n").toString();
    }

    /** Rounds up the end of an axis, so that its ticks are round numbers. */
    private static double round(double highest) {
        if (highest <= 0) {
            return 1;
        }
        double step = highest / (TICKS - 1);
        double power = Math.pow(10, Math.floor(Math.log10(step)));
        for (double times : new double[] {1, 2, 2.5, 5}) {
            if (step <= times * power * (1 + 1e-9)) {
                return (TICKS - 1) * times * power;
            }
        }
        return (TICKS - 1) * 10 * power;
    }

    private Axis loads(List<RatingTrial> trials) {
        double low = trials.stream().mapToDouble(view::amount).min().orElseThrow();
        double high = trials.stream().mapToDouble(view::amount).max().orElseThrow();
        return high > WIDE * low
                ? new Axis(true, low, high, LEFT, WIDTH - RIGHT)
                : Axis.linear(0, high, LEFT, WIDTH - RIGHT);
    }

    private void axes(StringBuilder svg, Axis x, Axis y, DoubleFunction<String> label) {
        for (int tick = 0; tick < TICKS; tick++) {
            double share = (double) tick / (TICKS - 1);
            double value = y.value(share);
            add(
                    svg,
                    "<line x1=\"%d\" y1=\"%.1f\" x2=\"%d\" y2=\"%.1f\" class=\"grid\"/>",
                    LEFT,
                    y.at(value),
                    WIDTH - RIGHT,
                    y.at(value));
            add(
                    svg,
                    "<text x=\"%d\" y=\"%.1f\" class=\"tick\" text-anchor=\"end\">%s</text>",
                    LEFT - 6,
                    y.at(value) + 4,
                    Html.escape(label.apply(value)));
            // The last tick has the unit.
            boolean isLast = tick == TICKS - 1;
            String load = RatingView.number(x.value(share));
            add(
                    svg,
                    "<text x=\"%.1f\" y=\"%d\" class=\"tick\" text-anchor=\"%s\">%s</text>",
                    x.at(x.value(share)),
                    HEIGHT - BOTTOM + 16,
                    isLast ? "end" : "middle",
                    Html.escape(isLast ? load + " " + view.loadTitle() : load));
        }
    }

    private static void promised(StringBuilder svg, OptionalDouble promised, Axis y) {
        if (promised.isPresent()) {
            double at = y.at(promised.getAsDouble());
            add(
                    svg,
                    "<line x1=\"%d\" y1=\"%.1f\" x2=\"%d\" y2=\"%.1f\" class=\"threshold\"/>",
                    LEFT,
                    at,
                    WIDTH - RIGHT,
                    at);
        }
    }

    /** Draws a line through the mean of each load. */
    private void line(
            StringBuilder svg, List<RatingTrial> trials, ToDoubleFunction<RatingTrial> value, Axis x, Axis y) {
        TreeMap<Double, double[]> sums = new TreeMap<>();
        for (RatingTrial trial : trials) {
            double[] sum = sums.computeIfAbsent(view.amount(trial), a -> new double[2]);
            sum[0] += value.applyAsDouble(trial);
            sum[1]++;
        }
        svg.append("<polyline style=\"stroke:var(--soft)\" points=\"");
        sums.forEach((load, sum) -> add(svg, "%.1f,%.1f ", x.at(load), y.at(sum[0] / sum[1])));
        svg.append("\"/>");
    }

    private void mark(StringBuilder svg, RatingTrial trial, double x, double y) {
        String shape =
                switch (trial.verdict()) {
                    case PASSED ->
                        "<circle cx=\"%1$.1f\" cy=\"%2$.1f\" r=\"4\" fill=\"none\" stroke=\""
                                + PASSED
                                + "\" stroke-width=\"2\"/>";
                    case FAILED ->
                        "<path d=\"M%1$.1f %2$.1fm-4-4l8 8m0-8l-8 8\" fill=\"none\" stroke=\""
                                + FAILED
                                + "\" stroke-width=\"2\"/>";
                    case BOTTLENECK, LOST ->
                        "<text x=\"%1$.1f\" y=\"%2$.1f\" text-anchor=\"middle\" style=\"fill:" + VOID + "\">?</text>";
                };
        svg.append("<g><title>").append(Html.escape(view.line(trial))).append("</title>");
        add(svg, shape, x, y);
        if (view.isRated(trial)) {
            add(
                    svg,
                    "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\" style=\"font-size:18px;fill:%s\">★</text>",
                    x,
                    y + 6,
                    RATED);
        }
        svg.append("</g>");
    }

    /** Maps values to coordinates. */
    private record Axis(boolean logarithmic, double low, double high, int from, int to) {
        static Axis linear(double low, double high, int from, int to) {
            return new Axis(false, low, high, from, to);
        }

        private double scaled(double value) {
            return logarithmic ? Math.log(Math.max(value, low)) : value;
        }

        double at(double value) {
            double share = (scaled(value) - scaled(low)) / (scaled(high) - scaled(low));
            return from + share * (to - from);
        }

        /** The value at a share of the axis, 0..1. */
        double value(double share) {
            double value = scaled(low) + share * (scaled(high) - scaled(low));
            return logarithmic ? Math.exp(value) : value;
        }
    }

    private static void add(StringBuilder to, String format, Object... arguments) {
        to.append(String.format(Locale.ROOT, format, arguments));
    }
}
