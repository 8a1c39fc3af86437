/**
 * Finds the cached query results that a write changes: InvaliDB's matching (Quaestor, sec. 4.1) as pure state machines.
 * Input are queries and writes, output are adds, removes and changes. Filters are those of MongoDB.
 *
 * <p>A {@link io.kipimo.core.invalidation.grid.Grid} divides the work by query and by record: a
 * {@link io.kipimo.core.invalidation.MatchingCell} has some of the queries and some of the records. Its matches go to
 * the query's {@link io.kipimo.core.invalidation.sorted.SortedWindow}, if the query is sorted or limited, and then
 * through an {@link io.kipimo.core.invalidation.InvalidationRule} to the caches.
 *
 * <p>Read {@link io.kipimo.core.invalidation.MatchingCell} first.
 */
package io.kipimo.core.invalidation;
