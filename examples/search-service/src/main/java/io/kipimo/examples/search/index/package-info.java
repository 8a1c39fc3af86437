/**
 * The index in four partitions, which together answer like a single index. Every searcher uses the statistics of the
 * whole corpus, so scores of different partitions can be merged. The skew is intended: the first partition holds all of
 * Europarl (21 languages, most of the terms, slow wildcards), the others share WordNet. Read
 * {@link io.kipimo.examples.search.index.PartitionedIndex} first.
 */
package io.kipimo.examples.search.index;
