package io.kipimo.bench.attribution;

import io.kipimo.core.quality.merge.Coalitions;
import io.kipimo.core.quality.merge.Merge;
import io.kipimo.core.quality.merge.Merges;
import io.kipimo.core.quality.merge.Part;
import io.kipimo.core.quality.merge.Shapley;
import io.kipimo.core.quality.similarity.Ranking;
import io.kipimo.core.quality.similarity.Similarities;
import io.kipimo.core.quality.similarity.Similarity;
import io.kipimo.schemas.policy.MergePolicy;
import io.kipimo.schemas.quality.Items;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;

/**
 * A query with late components. The value of a coalition is the quality that the answer would have had with its
 * results. Items overlap between components, so a component's contribution depends on the others in the coalition.
 */
record LateQuery(List<Part> online, List<Part> late, Ranking mature) {
    /** Not additive over components, unlike the true positive rate of disjoint items. */
    static final String METRIC = "ndcg@20";

    private static final int TOP_K = 20;
    private static final int ITEMS = 20;
    private static final Merge MERGE = Merges.of(MergePolicy.TOP_K);
    private static final Similarity SIMILARITY = Similarities.parse(METRIC);

    static LateQuery of(int lateComponents, SplittableRandom random) {
        int distinct = lateComponents * ITEMS;
        List<Part> online = new ArrayList<>();
        List<Part> late = new ArrayList<>();
        List<Part> all = new ArrayList<>();
        for (int i = 0; i < lateComponents; i++) {
            online.add(part("online-" + i, distinct, random));
            late.add(part("late-" + i, distinct, random));
        }
        all.addAll(online);
        all.addAll(late);
        return new LateQuery(online, late, MERGE.merge(all, TOP_K));
    }

    private static Part part(String component, int distinct, RandomGenerator random) {
        long[] ids = random.longs(0, distinct).distinct().limit(ITEMS).toArray();
        float[] scores = new float[ids.length];
        for (int i = 0; i < scores.length; i++) {
            scores[i] = random.nextFloat();
        }
        return new Part(component, Items.ofNumbers(ids, scores));
    }

    /** The loss to attribute. */
    double loss() {
        return worth((1L << late.size()) - 1) - worth(0);
    }

    /** By the product, which extends answers incrementally. */
    double[] attribute(RandomGenerator random) {
        Coalitions answers =
                MERGE.coalitions(online, late.stream().map(List::of).toList(), TOP_K);
        return Shapley.attribute(
                late.size(), coalition -> SIMILARITY.of(answers.with(coalition), mature), () -> random);
    }

    /**
     * By all coalitions, each merged from scratch: 2<sup>n</sup> merges.
     *
     * <p>The value of a player is the mean over coalition sizes of its mean contribution to coalitions of that size.
     */
    double[] attributeExactly() {
        int players = late.size();
        double[] worth = new double[1 << players];
        for (int coalition = 0; coalition < worth.length; coalition++) {
            worth[coalition] = worth(coalition);
        }
        double[] values = new double[players];
        for (int player = 0; player < players; player++) {
            for (int coalition = 0; coalition < worth.length; coalition++) {
                if ((coalition >>> player & 1) == 0) {
                    double share = 1 / (players * choose(players - 1, Integer.bitCount(coalition)));
                    values[player] += share * (worth[coalition | 1 << player] - worth[coalition]);
                }
            }
        }
        return values;
    }

    private double worth(long coalition) {
        List<Part> parts = new ArrayList<>(online);
        for (int i = 0; i < late.size(); i++) {
            if ((coalition >>> i & 1) == 1) {
                parts.add(late.get(i));
            }
        }
        return SIMILARITY.of(MERGE.merge(parts, TOP_K), mature);
    }

    private static double choose(int n, int k) {
        double ways = 1;
        for (int i = 1; i <= k; i++) {
            ways = ways * (n - k + i) / i;
        }
        return ways;
    }
}
