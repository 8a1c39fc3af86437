/**
 * Attributes a query's lost quality to its late components: the loss is a cooperative game of the late components, and
 * each gets its Shapley value (Shapley, 1953). Ubora measures the loss without attributing it. Read
 * {@link io.kipimo.core.quality.attribution.Shapley} first.
 */
package io.kipimo.core.quality.attribution;
