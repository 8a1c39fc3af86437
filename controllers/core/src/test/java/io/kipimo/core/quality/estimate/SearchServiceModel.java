package io.kipimo.core.quality.estimate;

import io.kipimo.core.quality.merge.Merge;
import io.kipimo.core.quality.merge.Merges;
import io.kipimo.core.quality.merge.Part;
import io.kipimo.core.quality.similarity.Similarities;
import io.kipimo.core.quality.similarity.Similarity;
import io.kipimo.schemas.policy.MergePolicy;
import io.kipimo.schemas.quality.Items;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * A search service of four partitions of unequal size, like the demo's. The share of heavy queries,
 * whose matches are in all partitions, rises (20, 35, 50 % in the three thirds of a run); the
 * matches of light queries are mostly in one partition. The share of degraded answers varies
 * between 5 and 40 % with the load. The quality of a degraded answer is computed by real merges:
 * tpr@20 of the partitions in time against all four.
 */
final class SearchServiceModel {
    private static final int TOP_K = 20;
    private static final double[] PARTITION_SIZES = {0.5, 0.25, 0.15, 0.1};
    private static final double[] HEAVY_SHARES = {0.2, 0.35, 0.5};
    private static final Merge MERGE = Merges.of(MergePolicy.TOP_K);
    private static final Similarity QUALITY = Similarities.parse("tpr@" + TOP_K);

    /** A query's id, whether it was degraded, and its true quality. */
    record Query(String id, boolean degraded, double quality) {}

    private final Random random;
    private final int batches;
    private final double phase;

    SearchServiceModel(long seed, int batches) {
        this.random = new Random(seed);
        this.batches = batches;
        this.phase = random.nextDouble();
    }

    List<Query> batch(int index, int size) {
        double heavyShare = HEAVY_SHARES[HEAVY_SHARES.length * index / batches];
        double load = 0.5 - 0.5 * Math.cos(2 * Math.PI * (phase + 2.0 * index / batches));
        double degradedShare = 0.05 + 0.35 * load;
        // Heavy queries time out three times as often.
        double lightShare = degradedShare / (1 + 2 * heavyShare);
        List<Query> queries = new ArrayList<>(size);
        for (int i = 0; i < size; i++) {
            boolean heavy = random.nextDouble() < heavyShare;
            boolean degraded = random.nextDouble() < (heavy ? 3 : 1) * lightShare;
            String id = String.format("%016x%016x", random.nextLong(), random.nextLong());
            queries.add(new Query(id, degraded, degraded ? degradedQuality(heavy, load) : 1));
        }
        return queries;
    }

    private double degradedQuality(boolean heavy, double load) {
        List<Part> mature = new ArrayList<>();
        List<Part> online = new ArrayList<>();
        int certainlyLate = weightedPartition();
        for (int partition = 0; partition < PARTITION_SIZES.length; partition++) {
            Part part = new Part("p" + partition, results(partition, heavy));
            mature.add(part);
            boolean late = partition == certainlyLate || random.nextDouble() < 0.3 * load;
            if (!late) {
                online.add(part);
            }
        }
        return QUALITY.of(MERGE.merge(online, TOP_K), MERGE.merge(mature, TOP_K));
    }

    /**
     * The best scores of a Poisson process of matches, whose rate is the query's affinity to the
     * partition.
     */
    private Items results(int partition, boolean heavy) {
        double concentration = heavy ? 3 : 0.4;
        double affinity = PARTITION_SIZES[partition] * gamma(concentration) / concentration + 1e-9;
        long[] ids = new long[TOP_K];
        float[] scores = new float[TOP_K];
        double arrival = 0;
        for (int i = 0; i < TOP_K; i++) {
            arrival -= Math.log(1 - random.nextDouble());
            ids[i] = 1000L * partition + i;
            scores[i] = (float) -Math.log(arrival / affinity);
        }
        return Items.ofNumbers(ids, scores);
    }

    /** Larger partitions are late more often. */
    private int weightedPartition() {
        double rest = random.nextDouble();
        int partition = 0;
        while (partition < PARTITION_SIZES.length - 1 && rest >= PARTITION_SIZES[partition]) {
            rest -= PARTITION_SIZES[partition++];
        }
        return partition;
    }

    /** Gamma distributed with scale 1 (Marsaglia and Tsang, 2000). */
    private double gamma(double shape) {
        if (shape < 1) {
            return gamma(shape + 1) * Math.pow(random.nextDouble(), 1 / shape);
        }
        double d = shape - 1.0 / 3;
        double c = 1 / Math.sqrt(9 * d);
        while (true) {
            double x = random.nextGaussian();
            double v = Math.pow(1 + c * x, 3);
            if (v > 0
                    && Math.log(random.nextDouble()) < 0.5 * x * x + d - d * v + d * Math.log(v)) {
                return d * v;
            }
        }
    }
}
