package io.kipimo.examples.search.index;

import io.kipimo.examples.search.corpus.Corpus;

/** The real indexes, built once for all tests. */
public final class BuiltIndexes {
    public static final PartitionedIndex SKEWED = PartitionedIndex.skewed(Corpus.load());
    public static final PartitionedIndex SINGLE = PartitionedIndex.single(Corpus.load());

    private BuiltIndexes() {}
}
