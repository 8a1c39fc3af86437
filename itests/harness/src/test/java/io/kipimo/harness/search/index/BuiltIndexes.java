package io.kipimo.harness.search.index;

import io.kipimo.harness.search.corpus.Corpus;

/** The real indexes, built once for all tests. */
public final class BuiltIndexes {
    public static final PartitionedIndex SKEWED = PartitionedIndex.skewed(Corpus.load());
    public static final PartitionedIndex SINGLE = PartitionedIndex.single(Corpus.load());

    private BuiltIndexes() {}
}
