package io.kipimo.simulator.report;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.DoubleStream;

/** Lines over a common axis, as SVG. */
public final class LinePlot implements Plot {
    private static final int HEIGHT = 260;
    private static final int LEFT = 52;
    private static final int RIGHT = 12;
    private static final int TOP = 28;
    private static final int BOTTOM = 34;

    /** Colours that most colour-blind people can distinguish (Okabe, Ito). */
    static final List<String> COLOURS =
            List.of("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#8c8c8c");

    private record Mark(double x, String text) {}

    private record PlotLine(String name, double[] x, double[] y) {}

    private final String title;
    private final String xTitle;
    private final List<PlotLine> lines = new ArrayList<>();
    private final List<Mark> marks = new ArrayList<>();
    private double threshold = Double.NaN;

    public LinePlot(String title, String xTitle) {
        this.title = title;
        this.xTitle = xTitle;
    }

    /** Adds a line. */
    public LinePlot line(String name, double[] x, double[] y) {
        lines.add(new PlotLine(name, x, y));
        return this;
    }

    /** Adds a horizontal line to compare with. */
    public LinePlot threshold(double level) {
        threshold = level;
        return this;
    }

    /** Adds a vertical line, where something changes. */
    public LinePlot mark(double x, String text) {
        marks.add(new Mark(x, text));
        return this;
    }

    /** Title, axis and lines, for JSON. */
    public Map<String, Object> tree() {
        Map<String, Object> tree = new LinkedHashMap<>();
        tree.put("title", title);
        tree.put("x", xTitle);
        Map<String, Object> byName = new LinkedHashMap<>();
        for (PlotLine line : lines) {
            byName.put(line.name, List.of(line.x, line.y));
        }
        tree.put("lines", byName);
        return tree;
    }

    @Override
    public int height() {
        return HEIGHT;
    }

    @Override
    public String svg() {
        double xMost = most(lines.stream().flatMapToDouble(l -> DoubleStream.of(l.x)));
        double yMost = nice(most(lines.stream().flatMapToDouble(l -> DoubleStream.of(l.y))));
        StringBuilder svg = new StringBuilder(Html.head(this, title));
        for (int tick = 0; tick <= 4; tick++) {
            double value = yMost * tick / 4;
            double y = y(value, yMost);
            add(svg, "<line x1=\"%d\" y1=\"%.1f\" x2=\"%d\" y2=\"%.1f\" class=\"grid\"/>", LEFT, y, WIDTH - RIGHT, y);
            add(
                    svg,
                    "<text x=\"%d\" y=\"%.1f\" class=\"tick\" text-anchor=\"end\">%s</text>",
                    LEFT - 6,
                    y + 4,
                    label(value));
        }
        for (int tick = 0; tick <= 6; tick++) {
            double value = xMost * tick / 6;
            add(
                    svg,
                    "<text x=\"%.1f\" y=\"%d\" class=\"tick\" text-anchor=\"middle\">%s</text>",
                    x(value, xMost),
                    HEIGHT - BOTTOM + 16,
                    label(value));
        }
        add(
                svg,
                "<text x=\"%d\" y=\"%d\" class=\"tick\" text-anchor=\"end\">%s</text>",
                WIDTH - RIGHT,
                HEIGHT - 4,
                Html.escape(xTitle));
        if (threshold <= yMost) {
            double y = y(threshold, yMost);
            add(
                    svg,
                    "<line x1=\"%d\" y1=\"%.1f\" x2=\"%d\" y2=\"%.1f\" class=\"threshold\"/>",
                    LEFT,
                    y,
                    WIDTH - RIGHT,
                    y);
        }
        for (Mark mark : marks) {
            add(
                    svg,
                    "<line x1=\"%1$.1f\" y1=\"%2$d\" x2=\"%1$.1f\" y2=\"%3$d\" class=\"threshold\"/>"
                            // Above the curves.
                            + "<text x=\"%1$.1f\" y=\"%4$d\" class=\"tick\">%5$s</text>",
                    x(mark.x, xMost),
                    TOP,
                    HEIGHT - BOTTOM,
                    TOP - 4,
                    Html.escape(mark.text));
        }
        for (int i = 0; i < lines.size(); i++) {
            draw(svg, lines.get(i), COLOURS.get(i % COLOURS.size()), xMost, yMost);
            double at = LEFT + 330 + (i % 3) * 170.0;
            add(
                    svg,
                    "<text x=\"%.0f\" y=\"%d\" class=\"tick\" style=\"fill:%s\">%s</text>",
                    at,
                    12 + 12 * (i / 3),
                    COLOURS.get(i % COLOURS.size()),
                    Html.escape(lines.get(i).name));
        }
        return svg.append("</svg>\n").toString();
    }

    private static void draw(StringBuilder svg, PlotLine line, String colour, double xMost, double yMost) {
        svg.append("<polyline style=\"stroke:").append(colour).append("\" points=\"");
        for (int i = 0; i < line.x.length; i++) {
            if (!Double.isNaN(line.y[i])) {
                add(svg, "%.1f,%.1f ", x(line.x[i], xMost), y(line.y[i], yMost));
            }
        }
        svg.append("\"/>");
    }

    private static double most(DoubleStream values) {
        return Math.max(1e-9, values.filter(v -> !Double.isNaN(v)).max().orElse(1));
    }

    /** Rounds up to 1, 2, 2.5 or 5 times a power of ten. */
    private static double nice(double value) {
        double power = Math.pow(10, Math.floor(Math.log10(value)));
        for (double step : new double[] {1, 2, 2.5, 5}) {
            if (value <= step * power * (1 + 1e-9)) {
                return step * power;
            }
        }
        return 10 * power;
    }

    private static double x(double value, double most) {
        return LEFT + value / most * (WIDTH - LEFT - RIGHT);
    }

    private static double y(double value, double most) {
        return HEIGHT - BOTTOM - value / most * (HEIGHT - TOP - BOTTOM);
    }

    private static String label(double value) {
        String text = String.format(Locale.ROOT, value >= 100 ? "%.0f" : "%.2f", value);
        return text.contains(".") ? text.replaceAll("0+$", "").replaceAll("\\.$", "") : text;
    }

    private static void add(StringBuilder to, String format, Object... arguments) {
        to.append(String.format(Locale.ROOT, format, arguments));
    }
}
