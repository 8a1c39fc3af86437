/**
 * Finds the cached query results that a write changes: InvaliDB's matching (Quaestor, sec. 4.1) as pure state machines.
 * The input is queries and {@link io.kipimo.core.invalidation.AfterImage after-images} of writes; the output is records
 * that enter, leave or change in a result. Filters are those of MongoDB.
 *
 * <p>A {@link io.kipimo.core.invalidation.filter.Grid} divides the work by query and by record: a
 * {@link io.kipimo.core.invalidation.MatchingCell} has some of the queries and some of the records. If a query is
 * sorted or limited, the matches go through its {@link io.kipimo.core.invalidation.SortedWindow}. It keeps the records
 * before and within the window and some after it, so that most writes need no new evaluation. An
 * {@link io.kipimo.core.invalidation.InvalidationRule} then decides what is sent to the caches.
 * {@link io.kipimo.core.invalidation.CapacityPlan} chooses the queries that are worth caching and matching (the paper's
 * capacity management). {@link io.kipimo.core.invalidation.UseMeter} chooses the form of their results (the cost model
 * that the paper omits for space).
 *
 * <p>Read {@link io.kipimo.core.invalidation.MatchingCell} first.
 */
package io.kipimo.core.invalidation;
