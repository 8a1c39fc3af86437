package io.kipimo.schemas.quality;

import io.kipimo.schemas.field.Name;
import io.kipimo.schemas.field.Range;
import io.kipimo.schemas.field.Text;
import io.kipimo.schemas.field.WithBuilder;
import io.soabase.recordbuilder.core.RecordBuilder.Initializer;

/**
 * One component's result for one sampled query; topic {@code partials}.
 *
 * @param server instance that answered; informative, may be empty
 * @param completedAtMillis when the result was complete, epoch milliseconds; the event time
 * @param latencyMicros time from the invocation to the result, microseconds
 * @param truncated whether items were cut at the cap
 * @param startedAtMillis when the query reached the front end, copied from its answer, epoch milliseconds; 0: unknown
 */
@WithBuilder
public record PartialResult(
        @Name String service,
        @Text String queryId,
        @Name String component,
        String server,
        Phase phase,
        @Range(least = 1, most = Range.LATEST_MILLIS) long completedAtMillis,
        @Range(most = Range.LONGEST_MICROS) long latencyMicros,
        @Initializer(source = Items.class, value = "NONE") Items items,
        boolean truncated,
        @Range(most = Range.LATEST_MILLIS) long startedAtMillis) {

    /** When the component was invoked, epoch milliseconds. */
    public long invokedAtMillis() {
        return completedAtMillis - latencyMicros / 1000;
    }
}
