package io.kipimo.cli.terminal;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.DoubleFunction;

/** Draws a curve with characters: points on two axes that begin at 0. */
public final class ScatterPlot {
    private static final int WIDTH = 64;
    private static final int HEIGHT = 16;

    private record PlotPoint(double x, double y, char mark) {}

    private final DoubleFunction<String> label;
    private final int height;
    private final List<PlotPoint> points = new ArrayList<>();

    /** @param label formats the numbers beside the axes */
    public ScatterPlot(DoubleFunction<String> label) {
        this(label, HEIGHT);
    }

    /** @param height number of lines, 2 or more */
    public ScatterPlot(DoubleFunction<String> label, int height) {
        this.label = label;
        this.height = height;
    }

    /** Adds a point, drawn over earlier ones; {@code x} and {@code y} are 0 or more. */
    public ScatterPlot point(double x, double y, char mark) {
        points.add(new PlotPoint(x, y, mark));
        return this;
    }

    /** Prints the plot with the titles of its axes. */
    public void print(PrintWriter out, String xTitle, String yTitle) {
        double mostX = points.stream().mapToDouble(PlotPoint::x).max().orElse(0);
        double mostY = points.stream().mapToDouble(PlotPoint::y).max().orElse(0);
        char[][] rows = new char[height][WIDTH];
        for (char[] row : rows) {
            Arrays.fill(row, ' ');
        }
        for (PlotPoint point : points) {
            int row = height - 1 - cell(point.y, mostY, height);
            rows[row][cell(point.x, mostX, WIDTH)] = point.mark;
        }
        String top = label.apply(mostY);
        String margin = " ".repeat(top.length());
        out.println(margin + " " + yTitle);
        for (int i = 0; i < height; i++) {
            String left = i == 0 ? top : i == height - 1 ? margin.substring(1) + "0" : margin;
            out.println((left + " |" + new String(rows[i])).stripTrailing());
        }
        out.println(margin + " +" + "-".repeat(WIDTH));
        String right = label.apply(mostX) + " " + xTitle;
        out.println(margin + "  0" + " ".repeat(Math.max(1, WIDTH - 1 - right.length())) + right);
    }

    private static int cell(double value, double most, int cells) {
        return most == 0 ? 0 : (int) Math.round(value / most * (cells - 1));
    }
}
