/**
 * Scores recorded answers offline with the functions of the stream, so that a search team can check
 * the service against its own tools; equal to trec_eval where trec_eval has the function. Read
 * {@link io.kipimo.core.quality.score.RunScorer} first.
 */
package io.kipimo.core.quality.score;
