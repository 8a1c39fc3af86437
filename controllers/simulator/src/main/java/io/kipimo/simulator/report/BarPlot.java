package io.kipimo.simulator.report;

import java.util.ArrayList;
import java.util.List;

/** Horizontal bars, as SVG. */
public final class BarPlot implements Plot {
    private static final int LEFT = 190;
    private static final int RIGHT = 110;
    private static final int TOP = 28;
    private static final int PITCH = 26;

    private record Bar(String name, String text, double first, double second) {}

    private final String title;
    private final double most;
    private final List<Bar> bars = new ArrayList<>();

    /** @param most value of a bar that fills the whole width; 0: the greatest value of the bars */
    public BarPlot(String title, double most) {
        this.title = title;
        this.most = most;
    }

    public BarPlot bar(String name, String text, double value) {
        return bar(name, text, value, 0);
    }

    /** A bar of two parts. */
    public BarPlot bar(String name, String text, double first, double second) {
        bars.add(new Bar(name, text, first, second));
        return this;
    }

    @Override
    public int height() {
        return TOP + PITCH * bars.size() + 8;
    }

    @Override
    public String svg() {
        double whole = most > 0
                ? most
                : bars.stream().mapToDouble(b -> b.first + b.second).max().orElse(1);
        double scale = (WIDTH - LEFT - RIGHT) / Math.max(1e-9, whole);
        StringBuilder svg = new StringBuilder(Html.head(this, title));
        for (int i = 0; i < bars.size(); i++) {
            Bar bar = bars.get(i);
            int y = TOP + i * PITCH;
            svg.append(Phrase.of(
                    "<text x=\"%d\" y=\"%d\" class=\"tick\" text-anchor=\"end\">%s</text>",
                    LEFT - 10, y + 13, Html.escape(bar.name)));
            svg.append(part(y, LEFT, bar.first * scale, 1))
                    .append(part(y, LEFT + bar.first * scale, bar.second * scale, 0.5));
            svg.append(
                    Phrase.of("<text x=\"%d\" y=\"%d\">%s</text>", WIDTH - RIGHT + 10, y + 13, Html.escape(bar.text)));
        }
        return svg.append("</svg>\n").toString();
    }

    private static String part(int y, double x, double width, double opacity) {
        return Phrase.of(
                "<rect x=\"%.1f\" y=\"%d\" width=\"%.1f\" height=\"16\" fill=\"%s\" opacity=\"%.1f\"/>",
                x, y, width, LinePlot.COLOURS.get(0), opacity);
    }
}
