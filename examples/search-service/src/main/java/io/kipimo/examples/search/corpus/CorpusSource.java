package io.kipimo.examples.search.corpus;

/** The collection from which a document comes. Documents of one source have similar languages and lengths. */
public enum CorpusSource {
    /** Speeches in the European Parliament in 21 languages; some 1,200 characters each. */
    EUROPARL,
    /** English definitions of WordNet 3.1; some 100 characters each. */
    WORDNET
}
