package io.kipimo.examples.search.index;

import io.kipimo.examples.search.corpus.Corpus;

/** Indexes of every fourth document, built once for all tests. */
public final class BuiltIndexes {
    static final Corpus CORPUS = Corpus.load().everyNth(4);

    public static final PartitionedIndex SKEWED = PartitionedIndex.skewed(CORPUS);
    public static final PartitionedIndex SINGLE = PartitionedIndex.single(CORPUS);

    private BuiltIndexes() {}
}
