package io.kipimo.core.invalidation;

/**
 * A write that affects a query by its filter, regardless of order and limit: the output of the first stage. For queries
 * without both it is the notification.
 *
 * @param queryKey of the query
 * @param kind ADD, REMOVE or CHANGE; or UNKNOWN, if the query would take too long to match
 */
public record Match(String queryKey, ChangeKind kind, AfterImage write) {}
