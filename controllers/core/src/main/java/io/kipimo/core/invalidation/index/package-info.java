/**
 * Which of many filters select a document, without testing them all: each filter is filed under a
 * condition that a document must meet to be selected, an equality in a hash table or a range in a
 * tree of intervals, and only filters that the document's own values point to are tested. InvaliDB
 * (Quaestor, sec. 4.1) tests every query against every write.
 *
 * <p>Read {@link io.kipimo.core.invalidation.index.FilterIndex} first; {@link
 * io.kipimo.core.invalidation.index.Anchors} says what a filter may be filed under, and why.
 */
package io.kipimo.core.invalidation.index;
