/**
 * Which cached query results does a write change? InvaliDB's matching (Quaestor, sec. 4.1) as pure
 * state machines: queries and writes in, adds, removes and changes out. Filters are MongoDB's.
 *
 * <p>Work is divided twice, {@link io.kipimo.core.invalidation.grid.Grid}: a {@link
 * io.kipimo.core.invalidation.MatchingCell} has some of the queries and some of the records. What
 * it finds goes to the query's {@link io.kipimo.core.invalidation.sorted.SortedWindow}, if the
 * query is sorted or limited, and through an {@link io.kipimo.core.invalidation.InvalidationRule}
 * to the caches.
 *
 * <p>Read {@link io.kipimo.core.invalidation.MatchingCell} first.
 */
package io.kipimo.core.invalidation;
