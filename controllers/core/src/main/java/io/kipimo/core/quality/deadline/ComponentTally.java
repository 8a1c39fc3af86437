package io.kipimo.core.quality.deadline;

/**
 * Sums of one component over the clean or the degraded profiles of a pane. The quality in each assumed case is the sum
 * of the differences from the answers that users got, so a query without the component adds 0. Mutable, owned by its
 * pane; stored field by field.
 */
public final class ComponentTally {
    /** Share of the latency that remains in the case {@code ifFaster}. */
    private static final double FASTER = 0.75;

    private static final double MICROS_PER_MINUTE = 60e6;

    public int invoked;
    public int late;

    /** Quality lost by its late and its missing results. */
    public double lost;

    /** Quality lost by the late results that arrived, and the sum of their times after the deadline, minutes. */
    public double lostByKnown;

    public double lateMinutes;

    /**
     * Sums of the differences of the quality in three assumed cases: the component is not invoked; it is faster; none
     * of its results is late.
     */
    public double ifDropped;

    public double ifFaster;
    public double ifNeverLate;

    /** Number of results, and the quality that they add, by time of arrival as an index on the {@link DeadlineGrid}. */
    public double[] arrivals = {};

    public double[] gains = {};

    /**
     * @param factor factor of all qualities, below 1 if a result is missing
     * @param lostByMissing assumed loss of quality by each missing component
     */
    void add(ComponentProfile component, QueryProfile profile, double factor, double lostByMissing) {
        invoked++;
        late += component.late() ? 1 : 0;
        if (component.missing()) {
            lost += lostByMissing;
            return;
        }
        double gain = factor * (component.qualityWith() - component.qualityWithout());
        if (component.late()) {
            lost += component.lostQuality();
            lostByKnown += component.lostQuality();
            lateMinutes += (component.completedMicros() - profile.deadlineMillis() * 1000L) / MICROS_PER_MINUTE;
            ifNeverLate += gain;
            double saved = (1 - FASTER) * component.latencyMicros();
            if (component.completedMicros() - saved <= profile.deadlineMillis() * 1000.0) {
                ifFaster += gain;
            }
        } else {
            ifDropped -= gain;
        }
        int index = DeadlineGrid.indexOf(component.completedMicros() / 1000.0);
        arrivals = Rises.withRoom(arrivals, index + 1);
        gains = Rises.withRoom(gains, index + 1);
        arrivals[index]++;
        gains[index] += gain;
    }

    void add(ComponentTally other) {
        invoked += other.invoked;
        late += other.late;
        lost += other.lost;
        lostByKnown += other.lostByKnown;
        lateMinutes += other.lateMinutes;
        ifDropped += other.ifDropped;
        ifFaster += other.ifFaster;
        ifNeverLate += other.ifNeverLate;
        arrivals = Rises.sum(arrivals, other.arrivals);
        gains = Rises.sum(gains, other.gains);
    }

    /** Number of the component's results that arrive by the deadline at this index of the grid. */
    double within(int index) {
        return Rises.upTo(arrivals, index);
    }

    /** Sum of the differences of the quality if this component alone had the deadline at this index of the grid. */
    double ifDeadline(int index) {
        return ifDropped + Rises.upTo(gains, index);
    }
}
