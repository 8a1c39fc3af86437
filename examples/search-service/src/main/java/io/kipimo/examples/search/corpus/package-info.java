/**
 * What the search service searches: real text in many languages, so that partitions differ in cost
 * and in what they are worth. Read {@link io.kipimo.examples.search.corpus.Corpus} first.
 */
package io.kipimo.examples.search.corpus;
