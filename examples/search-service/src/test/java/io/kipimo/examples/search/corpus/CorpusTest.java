package io.kipimo.examples.search.corpus;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class CorpusTest {
    private static final Corpus CORPUS = Corpus.load();

    @Test
    void holdsAllOfEuroparlAndWordNet() {
        assertThat(CORPUS.of(CorpusSource.EUROPARL)).hasSize(17_597);
        assertThat(CORPUS.of(CorpusSource.WORDNET)).hasSize(117_791);
    }

    @Test
    void idsAreTheDocumentsPlaces() {
        for (int i = 0; i < CORPUS.documents().size(); i++) {
            assertThat(CORPUS.documents().get(i).id()).isEqualTo(i);
        }
    }

    @Test
    void aGlossHasItsWordsAsTitle() {
        CorpusDocument abstraction = CORPUS.of(CorpusSource.WORDNET).stream()
                .filter(document -> document.title().startsWith("abstraction, "))
                .findFirst()
                .orElseThrow();

        assertThat(abstraction.title()).isEqualTo("abstraction, abstract entity");
        assertThat(abstraction.text()).startsWith("a general concept formed by extracting");
    }
}
