package io.kipimo.schemas.fanout;

import io.kipimo.schemas.field.Name;
import io.kipimo.schemas.field.OfServiceClass;
import io.kipimo.schemas.field.Range;
import io.kipimo.schemas.field.Text;
import io.kipimo.schemas.field.WithBuilder;
import java.util.Optional;

/**
 * The model by which front ends choose components; topic {@code fan-out}, compacted by service/class. The greatest
 * version is in force until it expires.
 *
 * @param version grows with every publication of a class
 * @param learnedAtMillis event time up to which the model has learned, epoch milliseconds
 * @param validUntilMillis end of the lease, epoch milliseconds
 * @param reason reason for the state, for people
 * @param floor share of the full answer that each query must be expected to keep, 0..1
 * @param price a component that the floor does not need is asked if its expected share of the answer is above
 *     {@code price} times its share of the total cost; 0: the floor alone decides
 * @param exploration share of the queries that are always asked in full and always sampled, 0..1
 * @param queries number of queries that the model has learned from
 * @param saving share of the work that the choices save, on queries that the model had not yet learned from; 0 if
 *     {@code quality} is unknown
 * @param quality share of the full answer that the choices keep; 0: unknown
 * @param model empty if the state is {@link FanOutState#OFF}
 */
@WithBuilder
public record FanOutPublication(
        @Name String service,
        @Name String queryClass,
        long version,
        @Range(least = 1, most = Range.LATEST_MILLIS) long learnedAtMillis,

        @Range(leastOf = "learnedAtMillis", most = Range.LATEST_MILLIS)
        long validUntilMillis,

        FanOutState state,
        @Text String reason,
        @Range(most = 1) double floor,
        @Range(most = 1e6) double price,
        @Range(most = 1) double exploration,
        long queries,
        @Range(most = 1) double saving,
        @Range(most = 1) double quality,
        Optional<ContributionTable> model)
        implements OfServiceClass {}
