package io.kipimo.core.quality.fanout.model;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Queries of four topics, each with words of its own and three common words. A topic has nine tenths of its answers in
 * one component.
 */
final class TopicWorld {
    static final List<String> COMPONENTS = List.of("a", "b", "c", "d");

    private static final int WORDS = 200;
    private static final double MAIN = 0.9;

    private final SplittableRandom random;

    /** Component with most answers of each topic. */
    final int[] home = {0, 1, 2, 3};

    /** Greatest share that a query has elsewhere than usual. */
    private double spread;

    TopicWorld(long seed) {
        random = new SplittableRandom(seed);
    }

    /** Lets queries of a topic differ: up to this share moves to another component. */
    TopicWorld spread(double most) {
        spread = most;
        return this;
    }

    record Query(long[] features, double[] shares) {
        double kept(List<String> asked) {
            return asked.stream()
                    .mapToDouble(c -> shares[COMPONENTS.indexOf(c)])
                    .sum();
        }
    }

    Query next() {
        return of(random.nextInt(4));
    }

    Query of(int topic) {
        long[] features = new long[5];
        for (int i = 0; i < features.length; i++) {
            boolean isCommon = i >= 2;
            features[i] = (isCommon ? 0 : 1_000L * (topic + 1)) + random.nextInt(isCommon ? 20 : WORDS);
        }
        double[] shares = new double[4];
        for (int c = 0; c < 4; c++) {
            shares[c] = c == home[topic] ? MAIN : (1 - MAIN) / 3;
        }
        if (spread > 0) {
            double moved = random.nextDouble(spread);
            shares[home[topic]] -= moved;
            shares[random.nextInt(4)] += moved;
        }
        return new Query(features, shares);
    }

    void teach(ContributionLearner learner, int queries) {
        for (int i = 0; i < queries; i++) {
            Query query = next();
            learner.learn(query.features(), query.shares(), new double[] {1, 1, 1, 1});
        }
    }

    static ContributionLearner learner() {
        return new ContributionLearner("search", COMPONENTS, 32 * 1024, ContributionLearner.HALF_LIFE_QUERIES);
    }

    /** Mean true quality and effort of the choices for some queries. */
    double[] judged(ContributionModel model, double floor) {
        return judged(model, floor, 1_000);
    }

    double[] judged(ContributionModel model, double floor, int queries) {
        List<Double> kept = new ArrayList<>();
        int asked = 0;
        for (int i = 0; i < queries; i++) {
            Query query = next();
            FanOutChoice choice =
                    FanOutChoice.choose(model, query.features(), COMPONENTS, Double.POSITIVE_INFINITY, floor);
            kept.add(query.kept(choice.asked()));
            asked += choice.asked().size();
        }
        return new double[] {kept.stream().mapToDouble(q -> q).average().orElseThrow(), asked / (4.0 * queries)};
    }
}
