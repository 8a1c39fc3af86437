package io.kipimo.core.invalidation.change;

/**
 * A write that concerns a query by its filter, without regard to order and limit: the stream from
 * the first stage. For queries with neither it is the notification.
 *
 * @param queryKey of the query
 * @param kind ADD, REMOVE or CHANGE; or UNKNOWN, if the query would take too long to match
 */
public record Match(String queryKey, ChangeKind kind, AfterImage write) {}
