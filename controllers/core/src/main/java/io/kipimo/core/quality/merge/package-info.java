/**
 * Merges partial results to an answer, as the service's front end does: in-time results to the online answer, all
 * results to the mature answer (Ubora, sec. 3 and 7; ER.fst is {@code PREFERRED}). Items are ordered as trec_eval
 * orders them. Read {@link io.kipimo.core.quality.merge.Merges} first.
 *
 * <p>Further classes evaluate merged answers. {@link io.kipimo.core.quality.merge.Shapley} divides the lost quality
 * among the late components, as players of a cooperative game (Shapley, 1953; Ubora does not attribute the loss).
 * {@link io.kipimo.core.quality.merge.QualityPrediction} predicts the quality when the answer leaves, from the missing
 * components and the learned cost of their lateness. {@link io.kipimo.core.quality.merge.AnswerDifference} tells
 * whether an answer depends on the replica that was asked. {@link io.kipimo.core.quality.merge.RunScorer} scores
 * recorded answers offline, with the values of trec_eval for the functions that trec_eval has.
 */
package io.kipimo.core.quality.merge;
