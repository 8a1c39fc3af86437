package io.kipimo.core.quality.fanout.model;

import java.util.List;

/** Learners of {@link TopicWorld}, for tests of other packages. */
public final class Topics {
    public static final List<String> COMPONENTS = TopicWorld.COMPONENTS;

    private Topics() {}

    /** A query and what components contribute to it. */
    public record Query(long[] features, double[] shares) {
        /** Share of the full answer that these components have. */
        public double kept(List<String> asked) {
            return new TopicWorld.Query(features, shares).kept(asked);
        }

        public void teach(ContributionLearner learner) {
            learner.learn(features, shares, new double[] {1, 1, 1, 1});
        }
    }

    /** Queries of random topics, whose home may move. */
    public static final class Stream {
        private final TopicWorld world;

        public Stream(long seed) {
            world = new TopicWorld(seed).spread(0.1);
        }

        public Query next() {
            return query(world.next());
        }

        public Query ofTopic(int topic) {
            return query(world.of(topic));
        }

        public void moveTopic(int topic, int component) {
            world.home[topic] = component;
        }

        private static Query query(TopicWorld.Query query) {
            return new Query(query.features(), query.shares());
        }
    }

    /** A learner that has learned nothing. */
    public static ContributionLearner learner() {
        return TopicWorld.learner();
    }

    /** A learner that has learned this many queries of four topics, each at home in a component. */
    public static ContributionLearner learned(int queries) {
        ContributionLearner learner = TopicWorld.learner();
        teach(learner, queries, 7);
        return learner;
    }

    public static void teach(ContributionLearner learner, int queries, long seed) {
        new TopicWorld(seed).teach(learner, queries);
    }

    /** A learner of queries to which all components contribute alike. */
    public static ContributionLearner alike(int queries) {
        TopicWorld world = new TopicWorld(7);
        ContributionLearner learner = TopicWorld.learner();
        for (int i = 0; i < queries; i++) {
            learner.learn(world.next().features(), new double[] {1, 1, 1, 1}, new double[] {5, 5, 5, 5});
        }
        return learner;
    }

    /** Features of queries of random topics. */
    public static long[][] queries(int count) {
        TopicWorld world = new TopicWorld(11);
        long[][] features = new long[count][];
        for (int i = 0; i < count; i++) {
            features[i] = world.next().features();
        }
        return features;
    }
}
