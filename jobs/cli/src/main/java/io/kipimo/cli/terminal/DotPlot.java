package io.kipimo.cli.terminal;

import java.util.Arrays;
import java.util.Locale;

/**
 * Intervals of fractions as text, one per line, on a common axis that ends at 1: {@code ---o--}, with a mark at the
 * objective. For the last column of a {@link TextTable}.
 */
public final class DotPlot {
    private static final int WIDTH = 41;

    private final double from;
    private final double objective;

    /**
     * @param least lowest value to show; the axis begins at the tenth below it
     * @param objective NaN: none
     */
    public DotPlot(double least, double objective) {
        double first = Double.isNaN(objective) ? least : Math.min(least, objective);
        this.from = Math.min(0.9, Math.floor(first * 10) / 10);
        this.objective = objective;
    }

    /** Ends of the axis, as wide as a line. */
    public String title() {
        String left = String.format(Locale.ROOT, "%.1f", from);
        return left + " ".repeat(WIDTH - left.length() - 3) + "1.0";
    }

    /** One interval. */
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
