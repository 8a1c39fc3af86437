package io.kipimo.simulator.workload;

import io.kipimo.schemas.quality.Features;
import io.kipimo.simulator.engine.RandomStream;
import java.util.ArrayList;
import java.util.List;

/**
 * Topics of queries. All queries of a topic have most of their items in the same partition, and their words tell the
 * topic.
 *
 * @param count number of topics, all equally frequent
 * @param words number of words of a topic; no two topics share one
 * @param wordsPerQuery number of words of a query, drawn from its topic's words, each equally likely
 * @param shiftSeconds time from which on all queries are of other topics; infinite: never
 */
public record TopicSpec(int count, int words, int wordsPerQuery, double shiftSeconds) {
    private static final String PURPOSE = "words";

    /**
     * Step between the partitions of successive topics after the shift. It has no common factors with the usual numbers
     * of partitions.
     */
    private static final int SHIFTED_STEP = 5;

    public TopicSpec {
        ModelChecks.atLeast("number of topics", count, 1);
        ModelChecks.atLeast("words of a topic", words, 1);
        ModelChecks.atLeast("words of a query", wordsPerQuery, 1);
        ModelChecks.atLeast("shift of topics", Math.min(shiftSeconds, Double.MAX_VALUE), 0);
    }

    /**
     * Returns the topic of a query.
     *
     * @param uniform random number in [0, 1) that decides
     */
    public int topicAt(double seconds, double uniform) {
        int topic = Math.min(count - 1, (int) (uniform * count));
        return seconds < shiftSeconds ? topic : count + topic;
    }

    /**
     * Returns the partition with most of the items of a topic. Topics after the shift are spread in another order, so
     * that knowledge of a partition that was learned before is of no use.
     */
    public int home(int topic, int partitions) {
        return topic < count ? topic % partitions : (topic - count) * SHIFTED_STEP % partitions;
    }

    /**
     * Returns hashes of the words of a query.
     *
     * @param seed seed of the query's random numbers
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
