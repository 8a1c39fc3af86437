/**
 * Chooses the queries that are worth caching and matching, and their form (Quaestor, sec. 4.1: the capacity management
 * model, and the cost model that the paper omits for space).
 *
 * <p>Read {@link io.kipimo.core.invalidation.capacity.QueryDemand} for the model, then
 * {@link io.kipimo.core.invalidation.capacity.CapacityPlan}.
 */
package io.kipimo.core.invalidation.capacity;
