package io.kipimo.examples.search.corpus;

/** Where a document comes from; documents of one source share languages and length. */
public enum Source {
    /** Speeches in the European Parliament in 21 languages; some 1,200 characters each. */
    EUROPARL,
    /** English definitions of WordNet 3.1; some 100 characters each. */
    WORDNET
}
