/**
 * How long an experiment must run for figures that stay the same in longer ones (sec. 3). Read
 * {@link io.kipimo.core.rating.delta.DeltaAnalyzer} first.
 */
package io.kipimo.core.rating.delta;
