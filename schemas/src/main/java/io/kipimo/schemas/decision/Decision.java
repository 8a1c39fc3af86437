package io.kipimo.schemas.decision;

import io.kipimo.schemas.field.Ascending;
import io.kipimo.schemas.field.Name;
import io.kipimo.schemas.field.Range;
import io.kipimo.schemas.field.Text;
import io.kipimo.schemas.field.WithBuilder;
import io.soabase.recordbuilder.core.RecordBuilder.Initializer;
import java.util.List;

/**
 * A decision of a controller; topics {@code admission} and {@code sampling}. The newest decision wins: the one with the
 * higher epoch, then with the higher sequence.
 *
 * @param controller {@link #ADMISSION} or {@link #SAMPLING}
 * @param scope service/class, or service
 * @param epoch epoch of the job attempt, assigned by the log; below 2^53
 * @param sequence sequence number within the epoch, from 1
 * @param issuedAtMillis epoch milliseconds
 * @param asOfMillis event time of the newest inputs, epoch milliseconds
 * @param validUntilMillis end of the lease, epoch milliseconds; afterwards actuators fall back to the safe value
 * @param value admitted fraction or sampling rate, 0..1
 * @param previous value that was in force before
 * @param samples number of measurements on which the decision is based
 * @param reason name of a constant of the controller's vocabulary of reasons
 * @param configVersion version of the policy that the controller followed
 * @param measured the figure that the controller saw, with its interval {@code low}..{@code high} and {@code objective}
 * @param costOrder admitted fractions by predicted cost, ascending; while {@code value} is in force, they replace it
 *     for queries with a stated cost; empty: {@code value} applies to all queries
 */
@WithBuilder
public record Decision(
        @Name String controller,
        @Text String scope,
        long epoch,
        long sequence,
        @Range(least = 1, most = Range.LATEST_MILLIS) long issuedAtMillis,
        long asOfMillis,

        @Range(leastOf = "issuedAtMillis", most = Long.MAX_VALUE)
        long validUntilMillis,

        @Range(most = 1) double value,
        @Range(most = 1) double previous,
        int samples,
        DecisionMode mode,
        @Text String reason,
        long configVersion,
        @Range(most = 1) double measured,
        @Range(most = 1) double low,
        @Range(most = 1) double high,
        @Range(most = 1) double objective,

        @Initializer(source = List.class, value = "of") @Ascending(strictly = true)
        List<CostStep> costOrder) {

    public static final String ADMISSION = "admission";
    public static final String SAMPLING = "sampling";

    /** Whether this decision replaces a decision with the given epoch and sequence. */
    public boolean isNewerThan(long otherEpoch, long otherSequence) {
        return epoch > otherEpoch || (epoch == otherEpoch && sequence > otherSequence);
    }
}
