/**
 * How Flink runs the invalidation of cached results: cells of the grid, the stage of one query's
 * result, and the numbering of what is told. Read {@link
 * io.kipimo.operators.invalidation.InvalidationFlow} first.
 */
package io.kipimo.operators.invalidation;
