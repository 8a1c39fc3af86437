/**
 * MongoDB's filter language: which documents does a query select? Filters are parsed once into an
 * immutable tree in a canonical form, so that queries that say the same have one key. An operator
 * that is not known here is refused by name; nothing is ever matched wrongly (Quaestor, sec. 4.1,
 * with MongoDB's own source as the authority for semantics).
 *
 * <p>Read {@link io.kipimo.core.invalidation.filter.Filter} first; {@link
 * io.kipimo.core.invalidation.filter.Path} has the rules of dotted paths through arrays, {@link
 * io.kipimo.core.invalidation.filter.FilterParser} the list of operators.
 */
package io.kipimo.core.invalidation.filter;
