package io.kipimo.examples.search.index;

import io.kipimo.examples.search.corpus.Corpus;

/** Indexes of every fourth document, built once for all tests. */
public final class BuiltIndexes {
    static final Corpus CORPUS = new Corpus(Corpus.load().documents().stream()
            .filter(document -> document.id() % 4 == 0)
            .toList());

    public static final PartitionedIndex SKEWED = PartitionedIndex.skewed(CORPUS);
    public static final PartitionedIndex SINGLE = PartitionedIndex.single(CORPUS);

    private BuiltIndexes() {}
}
