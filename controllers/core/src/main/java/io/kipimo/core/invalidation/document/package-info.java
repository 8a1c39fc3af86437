/**
 * Documents as MongoDB stores them: immutable values of the BSON types, their order across types, and extended JSON.
 * The model has no parser of its own and converts the tree of any JSON library, made of maps, lists and scalars.
 *
 * <p>Read {@link io.kipimo.core.invalidation.document.Value} first, then
 * {@link io.kipimo.core.invalidation.document.ValueOrder}.
 */
package io.kipimo.core.invalidation.document;
