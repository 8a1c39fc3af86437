/**
 * Scores recorded answers offline with the functions of the stream, so that a search team can check Kipimo against its
 * own tools. Functions that trec_eval has give equal values. Read {@link io.kipimo.core.quality.score.RunScorer} first.
 */
package io.kipimo.core.quality.score;
