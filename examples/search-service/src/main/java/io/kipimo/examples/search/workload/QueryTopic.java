package io.kipimo.examples.search.workload;

import io.kipimo.examples.search.index.Vocabulary;

/** Where the words of a query come from. */
public enum QueryTopic {
    /** All of the corpus. */
    ANY {
        @Override
        int documents(Vocabulary.Entry entry) {
            return entry.europarl() + entry.wordNet();
        }
    },
    /** English glosses: the partition with Europarl has little to say, and takes longest. */
    WORDNET {
        @Override
        int documents(Vocabulary.Entry entry) {
            return entry.wordNet();
        }
    };

    /** How many documents of the topic hold {@code entry}. */
    abstract int documents(Vocabulary.Entry entry);
}
