package io.kipimo.core.invalidation;

/**
 * A write that affects the set of records that a query's filter selects, regardless of order, offset and limit. It is
 * the output of the first stage of matching. For a query without order, offset and limit it is the notification itself.
 *
 * @param queryKey key of the query
 * @param kind ADD, REMOVE or CHANGE; or UNKNOWN if the match is undecided, for example because it would take too long
 */
public record Match(String queryKey, ChangeKind kind, AfterImage write) {}
