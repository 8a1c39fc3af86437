/**
 * MongoDB's filter language, which selects the documents of a query. Filters are parsed once into an immutable tree in
 * canonical form, so equivalent queries have the same key. Unsupported operators are refused by name instead of being
 * matched inexactly (Quaestor, sec. 4.1; MongoDB's source defines the semantics).
 *
 * <p>Read {@link io.kipimo.core.invalidation.filter.Filter} first; {@link io.kipimo.core.invalidation.filter.Path} has
 * the rules of dotted paths through arrays, {@link io.kipimo.core.invalidation.filter.FilterParser} the list of
 * operators.
 */
package io.kipimo.core.invalidation.filter;
