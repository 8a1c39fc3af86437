/**
 * Finds the filters that select a document without testing all of them. Each filter is indexed by a condition that its
 * documents must meet: an equality in a hash table or a range in an interval tree. Only filters that the document's
 * values lead to are tested. InvaliDB (Quaestor, sec. 4.1) tests every query against every write.
 *
 * <p>Read {@link io.kipimo.core.invalidation.index.FilterIndex} first;
 * {@link io.kipimo.core.invalidation.index.Anchors} explains the choice of these conditions.
 */
package io.kipimo.core.invalidation.index;
