/**
 * Predicts an answer's quality when it leaves, before late results arrive, from the missing components and the learned
 * cost of their lateness. (Ubora only measures afterwards.) Read
 * {@link io.kipimo.core.quality.completeness.QualityPrediction}, which services call, then
 * {@link io.kipimo.core.quality.completeness.CompletenessLearning}.
 */
package io.kipimo.core.quality.completeness;
