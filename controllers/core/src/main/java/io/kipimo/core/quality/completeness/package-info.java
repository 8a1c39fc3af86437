/**
 * Tells an answer's quality when it leaves, before anything late is in: from who is missing in it
 * and what their lateness has cost so far (spec of the project; Ubora measures afterwards only).
 * Read {@link io.kipimo.core.quality.completeness.QualityPrediction}, which services call, then
 * {@link io.kipimo.core.quality.completeness.CompletenessLearning}.
 */
package io.kipimo.core.quality.completeness;
