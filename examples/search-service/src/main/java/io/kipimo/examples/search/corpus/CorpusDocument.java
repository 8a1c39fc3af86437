package io.kipimo.examples.search.corpus;

/**
 * One document.
 *
 * @param id the document's place in the corpus, from 0; unique over all sources
 */
public record CorpusDocument(long id, CorpusSource source, String title, String text) {}
