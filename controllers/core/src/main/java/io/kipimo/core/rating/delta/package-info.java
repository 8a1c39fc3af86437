/**
 * How long an experiment must run so that longer ones give the same figures (sec. 3). Read
 * {@link io.kipimo.core.rating.delta.DeltaAnalyzer} first.
 */
package io.kipimo.core.rating.delta;
