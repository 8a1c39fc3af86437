package io.kipimo.core.quality.deadline;

import java.util.List;

/**
 * What one query's answer would have been worth at every deadline: {@code qualities[j]} from the
 * j-th result on, {@code qualities[0]} before the first. Arrays are owned by the record and not
 * changed.
 *
 * <p>Qualities are against what arrived: with components missing they are high ends.
 *
 * @param metric similarity function
 * @param profiledAtMillis event time, epoch milliseconds
 * @param deadlineMillis in force, after the query's start
 * @param degraded some component was not in the answer that the user got
 * @param completedMicros when the results came, after the query's start, ascending; those in the
 *     answer count as no later than the deadline in force and all others as later, whatever the
 *     clocks said
 * @param qualities 0..1, one more than latencies
 * @param components every invoked one
 */
public record QueryProfile(
        String service,
        String queryClass,
        String metric,
        long startedAtMillis,
        long profiledAtMillis,
        int deadlineMillis,
        boolean degraded,
        long[] completedMicros,
        double[] qualities,
        List<ComponentProfile> components) {

    /** The same of another class. */
    public QueryProfile ofClass(String otherClass) {
        return otherClass.equals(queryClass)
                ? this
                : new QueryProfile(
                        service,
                        otherClass,
                        metric,
                        startedAtMillis,
                        profiledAtMillis,
                        deadlineMillis,
                        degraded,
                        completedMicros,
                        qualities,
                        components);
    }

    /** Quality of the answer at a deadline after the query's start, 0..1. */
    public double qualityAt(double atMillis) {
        int in = 0;
        while (in < completedMicros.length && completedMicros[in] <= atMillis * 1000) {
            in++;
        }
        return qualities[in];
    }

    /** Quality of the answer that the user got, 0..1. */
    public double quality() {
        return qualityAt(deadlineMillis);
    }

    /** Whether every invoked component's result came, sooner or later. */
    public boolean isComplete() {
        return completedMicros.length == components.size();
    }
}
