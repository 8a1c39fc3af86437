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
import java.util.function.IntToDoubleFunction;

/**
 * A search service of four partitions of unequal size, like the demo's. Heavy queries find in all partitions; light
 * ones find mostly in one. The load swings, and with it the share of degraded answers and the number of partitions that
 * they lack. The quality of a degraded answer is that of real merges: tpr@20 of the partitions in time to all four.
 */
final class SearchServiceModel {
    private static final int TOP_K = 20;
    private static final double[] PARTITION_SIZES = {0.5, 0.25, 0.15, 0.1};
    private static final Merge MERGE = Merges.of(MergePolicy.TOP_K);
    private static final Similarity QUALITY = Similarities.parse("tpr@" + TOP_K);

    /** A query's id, the partitions that its answer lacked, and its true quality. */
    record Query(String id, List<String> missing, double quality) {
        boolean degraded() {
            return !missing.isEmpty();
        }
    }

    /**
     * How much load there is.
     *
     * @param leastDegraded share of degraded answers at the lowest load
     * @param mostDegraded the same at the highest
     * @param furtherLate probability that a further partition of a degraded answer is late, at the highest load
     */
    record Load(double leastDegraded, double mostDegraded, double furtherLate) {
        static final Load MILD = new Load(0.05, 0.4, 0.3);
        static final Load HEAVY = new Load(0.6, 1, 0.8);
    }

    private final Random random;
    private final Load load;
    private final double swings;
    private final IntToDoubleFunction heavyShares;
    private final double phase;

    /** A run of mild load in whose thirds heavy queries become more, 20, 35 and 50 %. */
    SearchServiceModel(long seed, int batches) {
        this(seed, Load.MILD, 2.0 / batches, batch -> new double[] {0.2, 0.35, 0.5}[3 * batch / batches]);
    }

    /**
     * @param swings of the load, a batch
     * @param heavyShares share of heavy queries by batch
     */
    SearchServiceModel(long seed, Load load, double swings, IntToDoubleFunction heavyShares) {
        this.random = new Random(seed);
        this.load = load;
        this.swings = swings;
        this.heavyShares = heavyShares;
        this.phase = random.nextDouble();
    }

    List<Query> batch(int index, int size) {
        double heavyShare = heavyShares.applyAsDouble(index);
        double level = 0.5 - 0.5 * Math.cos(2 * Math.PI * (phase + swings * index));
        double degradedShare = load.leastDegraded() + (load.mostDegraded() - load.leastDegraded()) * level;
        // Heavy queries time out three times as often.
        double lightShare = degradedShare / (1 + 2 * heavyShare);
        List<Query> queries = new ArrayList<>(size);
        for (int i = 0; i < size; i++) {
            boolean heavy = random.nextDouble() < heavyShare;
            boolean degraded = random.nextDouble() < (heavy ? 3 : 1) * lightShare;
            String id = String.format("%016x%016x", random.nextLong(), random.nextLong());
            queries.add(degraded ? degraded(id, heavy, level) : new Query(id, List.of(), 1));
        }
        return queries;
    }

    private Query degraded(String id, boolean heavy, double level) {
        List<String> missing = new ArrayList<>();
        List<Part> mature = new ArrayList<>();
        List<Part> online = new ArrayList<>();
        int certainlyLate = weightedPartition();
        for (int partition = 0; partition < PARTITION_SIZES.length; partition++) {
            Part part = new Part("p" + partition, results(partition, heavy));
            mature.add(part);
            boolean late = partition == certainlyLate || random.nextDouble() < load.furtherLate() * level;
            if (late) {
                missing.add(part.component());
            } else {
                online.add(part);
            }
        }
        return new Query(id, missing, QUALITY.of(MERGE.merge(online, TOP_K), MERGE.merge(mature, TOP_K)));
    }

    /** The best scores of a Poisson process of matches, whose rate is the query's affinity to the partition. */
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
            if (v > 0 && Math.log(random.nextDouble()) < 0.5 * x * x + d - d * v + d * Math.log(v)) {
                return d * v;
            }
        }
    }
}
