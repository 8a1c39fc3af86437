package io.kipimo.examples.search.workload;

import io.kipimo.examples.search.index.Vocabulary;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;

/**
 * Writes queries. It draws words by the square root of their document frequency. This is a compromise between the
 * frequency in text (mostly stop words) and a uniform draw from a dictionary (mostly rare words).
 */
public final class QueryWriter {
    private final Map<QueryTopic, Urn> words = new EnumMap<>(QueryTopic.class);
    private final Map<QueryTopic, Urn> phrases = new EnumMap<>(QueryTopic.class);

    public QueryWriter(Vocabulary vocabulary) {
        for (QueryTopic topic : QueryTopic.values()) {
            words.put(topic, new Urn(vocabulary.words(), topic));
            phrases.put(topic, new Urn(vocabulary.phrases(), topic));
        }
    }

    /** A query of one of the phase's kinds, in Lucene's query language. */
    public String write(QueryMix.MixPhase phase, RandomGenerator random) {
        double kind = random.nextDouble();
        if (kind < phase.heavy()) {
            return heavy(phase.topic(), random);
        }
        return kind < phase.heavy() + phase.wildcard() ? wildcard(phase.topic(), random) : light(phase.topic(), random);
    }

    private String light(QueryTopic topic, RandomGenerator random) {
        Urn urn = words.get(topic);
        String first = urn.draw(random);
        return random.nextBoolean() ? first : first + " " + urn.draw(random);
    }

    private String heavy(QueryTopic topic, RandomGenerator random) {
        Urn urn = words.get(topic);
        StringBuilder query = new StringBuilder();
        int plain = random.nextInt(10, 26);
        for (int i = 0; i < plain; i++) {
            query.append(urn.draw(random)).append(' ');
        }
        query.append(urn.draw(random)).append("~2 ");
        return query.append('"')
                .append(phrases.get(topic).draw(random))
                .append('"')
                .toString();
    }

    /** A wildcard query: the last four letters of a word, or fewer. */
    private String wildcard(QueryTopic topic, RandomGenerator random) {
        String word = words.get(topic).draw(random);
        int[] letters = word.codePoints().toArray();
        int kept = Math.min(4, letters.length - 1);
        return "*" + new String(letters, letters.length - kept, kept);
    }

    /** Draws entries by weight. */
    private static final class Urn {
        private final List<Vocabulary.VocabularyEntry> entries;

        /** For each entry, the sum of the weights of all entries up to it, with its own. */
        private final double[] cumulative;

        Urn(List<Vocabulary.VocabularyEntry> entries, QueryTopic topic) {
            this.entries = entries;
            cumulative = new double[entries.size()];
            double sum = 0;
            for (int i = 0; i < cumulative.length; i++) {
                sum += Math.sqrt(topic.documents(entries.get(i)));
                cumulative[i] = sum;
            }
        }

        String draw(RandomGenerator random) {
            double at = random.nextDouble() * cumulative[cumulative.length - 1];
            int found = Arrays.binarySearch(cumulative, at);
            // A draw equal to a sum belongs to the next entry, so entries without weight are never
            // drawn.
            int index = found < 0 ? -found - 1 : found + 1;
            return entries.get(Math.min(index, cumulative.length - 1)).text();
        }
    }
}
