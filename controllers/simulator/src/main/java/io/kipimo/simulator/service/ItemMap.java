package io.kipimo.simulator.service;

import io.kipimo.simulator.engine.RandomStream;
import io.kipimo.simulator.workload.QueryKind;
import io.kipimo.simulator.workload.TopicSpec;
import io.kipimo.simulator.workload.Zipf;
import java.util.List;
import java.util.Optional;

/**
 * Places the items of a query's mature answer in partitions, by Zipf's law over the partitions. The order of the
 * partitions is random for each query, or that of the query's topic. All partitions together have exactly the top k,
 * because items below it cannot change the completeness of an answer. Caches precede the partitions with items, and
 * hold some of these items again.
 */
public final class ItemMap {
    private static final String PURPOSE = "items";

    private final List<QueryKind> kinds;
    private final int caches;
    private final int partitions;
    private final int topK;
    private final Optional<TopicSpec> topics;

    /** Shares of the partitions by kind, greatest first; their sum is 1. */
    private final double[][] shares;

    private final RandomStream random = new RandomStream(0);

    /**
     * @param caches number of caches; the other partitions have the items
     * @param partitions number of partitions with items
     */
    public ItemMap(List<QueryKind> kinds, int caches, int partitions, int topK) {
        this(kinds, caches, partitions, topK, Optional.empty());
    }

    /** Creates a map for queries that may have topics. */
    ItemMap(List<QueryKind> kinds, int caches, int partitions, int topK, Optional<TopicSpec> topics) {
        this.topics = topics;
        this.kinds = kinds;
        this.caches = caches;
        this.partitions = partitions;
        this.topK = topK;
        this.shares = new double[kinds.size()][];
        for (int kind = 0; kind < shares.length; kind++) {
            shares[kind] = shares(kinds.get(kind).skew(), partitions);
        }
    }

    private static double[] shares(double exponent, int size) {
        double[] shares = Zipf.weights(size, exponent);
        double sum = 0;
        for (double weight : shares) {
            sum += weight;
        }
        for (int rank = 0; rank < size; rank++) {
            shares[rank] /= sum;
        }
        return shares;
    }

    /** The share of a query's data in a partition, 0..1; equal shares in caches. */
    public double share(Query query, int partition) {
        if (partition < caches) {
            return 1.0 / partitions;
        }
        return shares[query.kind()][Math.floorMod(partition - caches - first(query), partitions)];
    }

    /** Returns the partition of each of a query's items, and the cache that has a copy of it. */
    public Placement placementOf(Query query) {
        random.reset(RandomStream.mix(query.seed(), PURPOSE));
        int first = first(query);
        double[] mine = shares[query.kind()];
        double cached = caches == 0 ? 0 : kinds.get(query.kind()).cached();
        int[] homes = new int[topK];
        int[] copies = new int[topK];
        for (int item = 0; item < topK; item++) {
            double rest = random.nextDouble();
            int rank = 0;
            while (rank < partitions - 1 && rest >= mine[rank]) {
                rest -= mine[rank++];
            }
            homes[item] = caches + (first + rank) % partitions;
            copies[item] =
                    cached > 0 && random.nextDouble() < cached ? (int) (random.nextDouble() * caches) : Placement.NONE;
        }
        return new Placement(homes, copies);
    }

    private int first(Query query) {
        return topics.isPresent()
                ? topics.get().home(query.topic(), partitions)
                : Math.floorMod(query.seed() >>> 7, partitions);
    }
}
