package io.kipimo.core.quality.deadline;

/**
 * What one component did in the clean or in the degraded profiles of a pane. Qualities are sums of
 * differences to those of the answers that users got, so that queries which did not invoke it count
 * as 0. Mutable, owned by its pane; a Flink POJO.
 */
public final class ComponentTally {
    /** "25 % faster". */
    private static final double FASTER = 0.75;

    private static final double MICROS_PER_MINUTE = 60e6;

    public int invoked;
    public int late;

    /** Quality lost by its lateness, and by its never coming. */
    public double lost;

    /** The same of those results alone whose lateness is known, and their lateness. */
    public double lostByKnown;

    public double lateMinutes;

    /** Differences if it had not been asked; if it had been faster; if none had been late. */
    public double ifDropped;

    public double ifFaster;
    public double ifNeverLate;

    /** Results by when they came, and what their coming changed, on the grid. */
    public double[] arrivals = {};

    public double[] gains = {};

    /**
     * @param factor of all qualities, below 1 where something is missing
     * @param lostByMissing quality that each missing component is taken to cost
     */
    void add(
            ComponentProfile component, QueryProfile profile, double factor, double lostByMissing) {
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
            lateMinutes +=
                    (component.completedMicros() - profile.deadlineMillis() * 1000L)
                            / MICROS_PER_MINUTE;
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

    /** How many of its results are in by a deadline of the grid. */
    double within(int index) {
        return Rises.upTo(arrivals, index);
    }

    /** Difference if this had been its deadline: without it, then with what is in by then. */
    double ifDeadline(int index) {
        return ifDropped + Rises.upTo(gains, index);
    }
}
