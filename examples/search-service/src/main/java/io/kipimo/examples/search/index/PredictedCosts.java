package io.kipimo.examples.search.index;

import java.util.HashMap;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/**
 * What a query will cost, from its text alone: postings to read and terms to look through. Used
 * only to rank queries.
 */
public final class PredictedCosts implements ToDoubleFunction<String> {
    private final Map<String, Integer> documents = new HashMap<>();

    PredictedCosts(Vocabulary vocabulary) {
        vocabulary.words().forEach(w -> documents.put(w.text(), w.europarl() + w.wordNet()));
    }

    /**
     * The sum over the query's words: the documents with a plain word; the number of known words
     * for a word with an unknown beginning or with edits.
     *
     * @return above 0
     */
    @Override
    public double applyAsDouble(String query) {
        double cost = 1;
        for (String word : query.replace('"', ' ').split("\\s+")) {
            cost +=
                    word.startsWith("*") || word.contains("~")
                            ? documents.size()
                            : documents.getOrDefault(word, 0);
        }
        return cost;
    }
}
