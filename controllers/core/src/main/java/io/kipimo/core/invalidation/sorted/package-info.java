/**
 * Queries with sort, limit and offset: the second stage, keyed by query (Quaestor, sec. 4.1). It keeps the records
 * before and within the window and some after it, so that most writes need no new evaluation.
 *
 * <p>Read {@link io.kipimo.core.invalidation.sorted.SortedWindow} first.
 */
package io.kipimo.core.invalidation.sorted;
