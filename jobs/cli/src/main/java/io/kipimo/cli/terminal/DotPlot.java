package io.kipimo.cli.terminal;

import java.util.Arrays;
import java.util.Locale;

/**
 * Draws intervals of fractions as text, such as {@code ---o--}, one per line, for the last column of a
 * {@link TextTable}. All lines share an axis that ends at 1 and has a mark at the objective.
 */
public final class DotPlot {
    private static final int WIDTH = 41;

    private final double from;
    private final double objective;

    /**
     * @param least lowest value to show; the axis begins at the multiple of 0.1 at or below it
     * @param objective value at which to draw the mark; NaN: none
     */
    public DotPlot(double least, double objective) {
        double first = Double.isNaN(objective) ? least : Math.min(least, objective);
        this.from = Math.min(0.9, Math.floor(first * 10) / 10);
        this.objective = objective;
    }

    /** Labels of the axis's two ends, as wide as a line. */
    public String title() {
        String left = String.format(Locale.ROOT, "%.1f", from);
        return left + " ".repeat(WIDTH - left.length() - 3) + "1.0";
    }

    /** Draws one interval with its mean. */
    public String line(double low, double mean, double high) {
        char[] line = new char[WIDTH];
        Arrays.fill(line, ' ');
        Arrays.fill(line, column(low), column(high) + 1, '-');
        if (!Double.isNaN(objective)) {
            line[column(objective)] = '|';
        }
        line[column(mean)] = 'o';
        return new String(line);
    }

    private int column(double value) {
        double share = (value - from) / (1 - from);
        return (int) Math.round(Math.max(0, Math.min(1, share)) * (WIDTH - 1));
    }
}
