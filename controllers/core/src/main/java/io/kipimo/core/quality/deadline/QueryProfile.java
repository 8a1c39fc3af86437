package io.kipimo.core.quality.deadline;

import io.kipimo.schemas.field.OfServiceClass;
import io.kipimo.schemas.field.WithBuilder;
import java.util.List;

/**
 * Quality of one query's answer at every deadline: {@code qualities[j]} after the j-th result, {@code qualities[0]}
 * before the first. The record owns the arrays; they must not change.
 *
 * <p>The qualities compare with the merge of the results that arrived. So they are high ends if results are missing.
 *
 * @param metric similarity function
 * @param profiledAtMillis event time, epoch milliseconds
 * @param deadlineMillis deadline in force, after the query's start
 * @param degraded whether some component was not in the answer that the user got
 * @param completedMicros times of the results after the query's start, ascending; at most the deadline in force for
 *     results in the answer, and longer for all others, whatever the clocks recorded
 * @param qualities 0..1, one more than results
 * @param components all invoked components
 * @param features hashes of what is known of the query; may be empty
 * @param explorationRandomness randomness of the query's id, which decides whether it asks all components; 0 without
 *     features
 */
@WithBuilder
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
        List<ComponentProfile> components,
        long[] features,
        long explorationRandomness)
        implements OfServiceClass {

    /** This profile under another class. */
    public QueryProfile ofClass(String otherClass) {
        return otherClass.equals(queryClass)
                ? this
                : QueryProfileBuilder.builder(this).queryClass(otherClass).build();
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

    /** Whether the result of every invoked component arrived, in time or late. */
    public boolean isComplete() {
        return completedMicros.length == components.size();
    }
}
