package io.kipimo.core.quality.deadline;

import io.kipimo.core.quality.estimate.StratumSums;

/**
 * Sums of many step functions of the deadline, and of their squares. They are stored as rises on the
 * {@link DeadlineGrid}, so adding a function costs as much as it has steps. Mutable, owned by its pane; stored field by
 * field.
 */
final class StepSums {
    private static final double[] NONE = {};

    public int count;

    /** Sum of the values before all steps, and of their squares. */
    public double base;

    public double baseOfSquares;

    /** Rises by index on the grid, up to the last step. */
    public double[] rises = NONE;

    public double[] risesOfSquares = NONE;

    /** Adds {@code factor} times the profile's qualities. */
    void add(QueryProfile profile, double factor) {
        count++;
        double before = profile.qualities()[0] * factor;
        base += before;
        baseOfSquares += before * before;
        long[] latencies = profile.completedMicros();
        for (int i = 0; i < latencies.length; i++) {
            double after = profile.qualities()[i + 1] * factor;
            rise(DeadlineGrid.indexOf(latencies[i] / 1000.0), after - before, after * after - before * before);
            before = after;
        }
    }

    private void rise(int index, double by, double ofSquareBy) {
        if (by == 0) {
            return;
        }
        rises = Rises.withRoom(rises, index + 1);
        risesOfSquares = Rises.withRoom(risesOfSquares, index + 1);
        rises[index] += by;
        risesOfSquares[index] += ofSquareBy;
    }

    void add(StepSums other) {
        count += other.count;
        base += other.base;
        baseOfSquares += other.baseOfSquares;
        rises = Rises.sum(rises, other.rises);
        risesOfSquares = Rises.sum(risesOfSquares, other.risesOfSquares);
    }

    /** The sums at every deadline of the grid. */
    StratumSums[] byDeadline() {
        StratumSums[] sums = new StratumSums[DeadlineGrid.size()];
        double sum = base;
        double squares = baseOfSquares;
        for (int i = 0; i < sums.length; i++) {
            sum += i < rises.length ? rises[i] : 0;
            squares += i < risesOfSquares.length ? risesOfSquares[i] : 0;
            double bounded = Math.max(0, Math.min(count, sum));
            sums[i] = new StratumSums(count, bounded, Math.max(0, Math.min(bounded, squares)));
        }
        return sums;
    }
}
