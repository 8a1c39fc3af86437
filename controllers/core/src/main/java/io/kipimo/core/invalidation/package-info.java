/**
 * Finds the cached query results that a write changes: InvaliDB's matching (Quaestor, sec. 4.1) as pure state machines.
 * Input are queries and {@link io.kipimo.core.invalidation.AfterImage after-images} of writes, output are adds, removes
 * and changes. Filters are those of MongoDB.
 *
 * <p>A {@link io.kipimo.core.invalidation.filter.Grid} divides the work by query and by record: a
 * {@link io.kipimo.core.invalidation.MatchingCell} has some of the queries and some of the records. Its matches go to
 * the query's {@link io.kipimo.core.invalidation.SortedWindow}, if the query is sorted or limited, which keeps the
 * records before and within the window and some after it, so that most writes need no new evaluation; then through an
 * {@link io.kipimo.core.invalidation.InvalidationRule} to the caches. {@link io.kipimo.core.invalidation.CapacityPlan}
 * chooses the queries that are worth caching and matching, and their form (the paper's capacity management, and the
 * cost model that it omits for space).
 *
 * <p>Read {@link io.kipimo.core.invalidation.MatchingCell} first.
 */
package io.kipimo.core.invalidation;
