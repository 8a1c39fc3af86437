/**
 * The documents of the search service: real text in many languages, so that partitions differ in cost and in their
 * share of the results. Read {@link io.kipimo.examples.search.corpus.Corpus} first.
 */
package io.kipimo.examples.search.corpus;
