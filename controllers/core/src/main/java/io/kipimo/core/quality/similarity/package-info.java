/**
 * Compares two ranked answers: the online one, which the user got, with the mature one, which is the reference. Ubora,
 * sec. 7.1, has the true positive rate; the other functions come from trec_eval and from the literature that each class
 * names. Read {@link io.kipimo.core.quality.similarity.Similarities} first: the list of functions and their exact
 * definitions.
 */
package io.kipimo.core.quality.similarity;
