/**
 * Compares two ranked answers: the online one, which the user got, with the mature one, which is
 * the truth (Ubora, sec. 3.1: the true positive rate; the others are those that search teams know
 * from trec_eval and the literature named at each class). Read {@link
 * io.kipimo.core.quality.similarity.Similarities} first: the list of functions and their exact
 * definitions.
 */
package io.kipimo.core.quality.similarity;
