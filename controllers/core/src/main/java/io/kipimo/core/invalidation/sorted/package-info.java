/**
 * Queries with sort, limit and offset: the second stage, keyed by query (Quaestor, sec. 4.1). It
 * keeps what lies before and within the window, and some records after it, so that most writes need
 * no new evaluation; and says when those are used up.
 *
 * <p>Read {@link io.kipimo.core.invalidation.sorted.SortedWindow} first.
 */
package io.kipimo.core.invalidation.sorted;
