package io.kipimo.simulator.workload;

import io.kipimo.schemas.quality.Features;
import io.kipimo.simulator.engine.RandomStream;
import java.util.ArrayList;
import java.util.List;

/**
 * What queries are about. All queries of a topic have most of their items in the same partition, and their words tell
 * the topic.
 *
 * @param count of topics, all equally frequent
 * @param words of a topic; no two topics share one
 * @param wordsPerQuery words of a query, of its topic's, each equally likely
 * @param shiftSeconds from when on all queries are of other topics; infinite: never
 */
public record TopicSpec(int count, int words, int wordsPerQuery, double shiftSeconds) {
    private static final String PURPOSE = "words";

    /** Without common factors with the usual numbers of partitions. */
    private static final int SHIFTED_STEP = 5;

    public TopicSpec {
        ModelChecks.atLeast("number of topics", count, 1);
        ModelChecks.atLeast("words of a topic", words, 1);
        ModelChecks.atLeast("words of a query", wordsPerQuery, 1);
        ModelChecks.atLeast("shift of topics", Math.min(shiftSeconds, Double.MAX_VALUE), 0);
    }

    /**
     * The topic of a query.
     *
     * @param uniform chance, in [0, 1)
     */
    public int topicAt(double seconds, double uniform) {
        int topic = Math.min(count - 1, (int) (uniform * count));
        return seconds < shiftSeconds ? topic : count + topic;
    }

    /**
     * The partition with most of the items of a topic. Topics after the shift are spread in another order, so that what
     * was learned of a partition as such is of no use.
     */
    public int home(int topic, int partitions) {
        return topic < count ? topic % partitions : (topic - count) * SHIFTED_STEP % partitions;
    }

    /**
     * Hashes of the words of a query.
     *
     * @param seed of the query
     */
    public Features features(int topic, long seed) {
        RandomStream random = new RandomStream(RandomStream.mix(seed, PURPOSE));
        List<String> texts = new ArrayList<>(wordsPerQuery);
        for (int word = 0; word < wordsPerQuery; word++) {
            texts.add(topic + "/" + (int) (random.nextDouble() * words));
        }
        return Features.ofTexts(texts);
    }
}
