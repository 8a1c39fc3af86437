/**
 * MongoDB's filter language, which selects the documents of a query, and the index that finds the filters of a
 * document.
 *
 * <p>Documents are immutable values of the BSON types ({@link io.kipimo.core.invalidation.filter.Value}) with their
 * order across types; they are made from the tree of any JSON library. Filters are parsed once into an immutable tree
 * in canonical form, so equivalent queries have the same key. Unsupported operators are refused by name instead of
 * being matched inexactly (Quaestor, sec. 4.1; MongoDB's source defines the semantics).
 * {@link io.kipimo.core.invalidation.filter.FilterIndex} files each filter under a condition that its documents must
 * meet: an equality in a hash table, or a range in an interval tree. It tests only the filters that a document's values
 * lead to, whereas InvaliDB tests every query against every write.
 *
 * <p>Read {@link io.kipimo.core.invalidation.filter.Filter} first; {@link io.kipimo.core.invalidation.filter.Path} has
 * the rules of dotted paths through arrays, {@link io.kipimo.core.invalidation.filter.FilterParser} has the list of
 * operators, and {@link io.kipimo.core.invalidation.filter.Anchors} chooses the conditions of the index.
 */
package io.kipimo.core.invalidation.filter;
