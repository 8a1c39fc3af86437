package io.kipimo.simulator.service;

import io.kipimo.core.arbitration.Arbiter;
import io.kipimo.core.arbitration.RoundRobin;
import io.kipimo.core.arbitration.ServerChoice;
import io.kipimo.core.arbitration.TokenPool;
import io.kipimo.schemas.field.WithBuilder;
import io.kipimo.simulator.workload.Distribution;
import io.kipimo.simulator.workload.ModelChecks;
import java.util.Optional;

/**
 * One tier. A call to it sends a request to each of its partitions at once. One of the partition's servers executes a
 * request, or several if it is replicated.
 *
 * @param partitions number of partitions of the data, at least 1
 * @param serversPerPartition number of servers of a partition, each of which has all of the partition's data
 * @param cores number of cores of a server
 * @param queueBound requests at a server beyond which it refuses further ones; those in service count
 * @param demand work of a request, seconds of a core
 * @param networkDelay delay of each message to and from a server
 * @param callsPerRequest calls to the next tier, one after the other, with the work spread evenly around them; 0 in the
 *     last tier
 * @param timeOutSeconds time after which the tier above goes on without the answer; infinite: never
 * @param factor copies of each request, to different servers; the first answer counts
 * @param independentCopies whether each copy has work of its own; if not, all copies have equal work
 * @param arbitration choice of the servers that get the copies; without effect if there is only one
 * @param interference interference on all servers of the tier
 * @param caches partitions that are caches of the others
 * @param answers cache of answers in front of the tier
 */
@WithBuilder
public record TierSpec(
        String name,
        int partitions,
        int serversPerPartition,
        int cores,
        Discipline discipline,
        int queueBound,
        Distribution demand,
        Distribution networkDelay,
        int callsPerRequest,
        double timeOutSeconds,
        int factor,
        boolean independentCopies,
        Arbitration arbitration,
        Optional<Disturbance> interference,
        Optional<CacheNodes> caches,
        Optional<AnswerCache> answers)
        implements TierSpecBuilder.With {

    /**
     * Settings of how the copies of a request get their servers; the product's arbiter decides.
     *
     * @param tokens empty: the servers take turns
     */
    public record Arbitration(Optional<TokenPool.Tokens> tokens, Arbiter.Hedging settings) {
        /** The servers take turns. All copies are sent at once, and none is cancelled. */
        public static final Arbitration IN_TURN = new Arbitration(Optional.empty(), Arbiter.Hedging.PUBLISHED);

        Arbiter arbiter(int servers) {
            ServerChoice choice = tokens.isPresent() ? new TokenPool(servers, tokens.get()) : new RoundRobin(servers);
            return new Arbiter(choice, settings);
        }
    }

    /**
     * Neighbours that take capacity from each server of a tier, independently: Poisson arrivals, exponential lengths
     * (sPARE, sec. VI-A: every 40 s, 10 s long).
     *
     * @param meanIntervalSeconds mean time between the starts of episodes
     * @param meanLengthSeconds mean length of an episode; episodes may overlap
     * @param speed speed of the server during an episode, in (0, 1]
     */
    public record Disturbance(double meanIntervalSeconds, double meanLengthSeconds, double speed) {
        public Disturbance {
            ModelChecks.above("interval of interference", meanIntervalSeconds, 0);
            ModelChecks.above("length of interference", meanLengthSeconds, 0);
            ModelChecks.above("speed under interference", speed, 0);
            ModelChecks.fraction("speed under interference", speed);
        }
    }

    /** Queue bound of a server that never refuses. */
    public static final int UNBOUNDED = Integer.MAX_VALUE;

    public TierSpec {
        ModelChecks.atLeast("partitions of " + name, partitions, 1);
        ModelChecks.atLeast("servers per partition of " + name, serversPerPartition, 1);
        ModelChecks.atLeast("cores of " + name, cores, 1);
        ModelChecks.atLeast("queue bound of " + name, queueBound, 1);
        ModelChecks.atLeast("calls per request of " + name, callsPerRequest, 0);
        ModelChecks.atLeast("factor of " + name, factor, 1);
        if (caches.isPresent()) {
            ModelChecks.above(
                    "partitions of " + name + " that are no caches",
                    partitions - caches.get().partitions(),
                    0);
        }
        if (factor > serversPerPartition) {
            throw new IllegalArgumentException("factor of "
                    + name
                    + " is "
                    + factor
                    + "; allowed: at most its servers per partition, "
                    + serversPerPartition);
        }
    }

    /** One server without network: a textbook queue. */
    public static TierSpec queue(String name, int cores, Discipline discipline, Distribution demand) {
        return TierSpecBuilder.builder()
                .name(name)
                .partitions(1)
                .serversPerPartition(1)
                .cores(cores)
                .discipline(discipline)
                .queueBound(UNBOUNDED)
                .demand(demand)
                .networkDelay(new Distribution.Constant(0))
                .timeOutSeconds(Double.POSITIVE_INFINITY)
                .factor(1)
                .arbitration(Arbitration.IN_TURN)
                .build();
    }

    /** Whether a partition is a cache. */
    boolean isCache(int partition) {
        return partition < cachePartitions();
    }

    int cachePartitions() {
        return caches.map(CacheNodes::partitions).orElse(0);
    }

    /** Cores of each server of a partition. */
    int coresOf(int partition) {
        return isCache(partition) ? caches.orElseThrow().cores() : cores;
    }

    /** Work of a request to a partition. */
    Distribution demandOf(int partition) {
        return isCache(partition) ? caches.orElseThrow().demand() : demand;
    }
}
