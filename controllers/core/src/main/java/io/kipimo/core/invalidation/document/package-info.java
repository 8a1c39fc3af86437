/**
 * Documents as MongoDB stores them: immutable values of the BSON types, their order across types,
 * and extended JSON. The model has no parser of its own: any JSON library's tree of maps, lists and
 * scalars becomes a value.
 *
 * <p>Read {@link io.kipimo.core.invalidation.document.Value} first, then {@link
 * io.kipimo.core.invalidation.document.ValueOrder}.
 */
package io.kipimo.core.invalidation.document;
