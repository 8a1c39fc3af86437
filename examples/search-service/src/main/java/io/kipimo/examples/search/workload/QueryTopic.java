package io.kipimo.examples.search.workload;

import io.kipimo.examples.search.index.Vocabulary;

/** Source of the words of a query. */
public enum QueryTopic {
    /** The whole corpus. */
    ANY {
        @Override
        int documents(Vocabulary.VocabularyEntry entry) {
            return entry.europarl() + entry.wordNet();
        }
    },
    /** The English glosses. The partition with Europarl contributes little to such queries and takes longest. */
    WORDNET {
        @Override
        int documents(Vocabulary.VocabularyEntry entry) {
            return entry.wordNet();
        }
    };

    /** Number of documents of the topic that contain {@code entry}. */
    abstract int documents(Vocabulary.VocabularyEntry entry);
}
