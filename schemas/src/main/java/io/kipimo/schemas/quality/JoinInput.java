package io.kipimo.schemas.quality;

/** What a join reads: an event of a query, a policy, or event time only. */
public interface JoinInput {
    /** Event time, epoch milliseconds; of policies it has no meaning. */
    long eventTimeMillis();
}
