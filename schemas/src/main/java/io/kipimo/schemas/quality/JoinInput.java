package io.kipimo.schemas.quality;

/** Input of a join: an event of a query, a policy, or only an event time. */
public interface JoinInput {
    /** Event time, epoch milliseconds; without meaning for policies. */
    long eventTimeMillis();
}
