/**
 * Says which late component cost how much of a query's quality: the loss is a cooperative game of
 * the late components and each gets its Shapley value (Shapley, 1953). Ubora measures the loss and
 * attributes none. Read {@link io.kipimo.core.quality.attribution.Shapley} first.
 */
package io.kipimo.core.quality.attribution;
