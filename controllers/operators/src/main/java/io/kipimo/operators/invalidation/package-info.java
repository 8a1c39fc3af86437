/**
 * Invalidation of cached results on Flink: cells of the grid, the second stage for a query's result, and the numbering
 * of notifications. Read {@link io.kipimo.operators.invalidation.InvalidationFlow} first.
 */
package io.kipimo.operators.invalidation;
