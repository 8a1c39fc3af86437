package io.kipimo.operators.quality;

import io.kipimo.core.sampling.ConsistentSampling;
import io.kipimo.core.sampling.UniformityCheck;
import io.kipimo.operators.metrics.ConservedCounters;
import io.kipimo.schemas.quality.QueryKey;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.MetricGroup;

/**
 * Metrics of the quality job's operators, as {@code <host>.taskmanager.<id>.<job>.<operator>.<subtask>.kipimo.<name>},
 * for example {@code ….query-join.0.kipimo.joinedEvents}.
 */
final class QualityMetrics {
    /** Root of all names. */
    static final String GROUP = "kipimo";

    /** Name of the group for counters by component, {@code kipimo.component.<name>.lateEvents}. */
    private static final String COMPONENT = "component";

    /** Names beyond this number share one counter, so that names in the data cannot fill the registry. */
    private static final int MOST_COMPONENTS = 1000;

    /** Counters of the join; all are checkpointed gauges that sum over the subtasks. */
    enum JoinCount {
        /** Events that are part of their query. */
        JOINED_EVENTS,
        /** Events after the expiration window. */
        LATE_EVENTS,
        /** Repeated events. */
        DUPLICATE_EVENTS,
        /** Events of unknown services. */
        REJECTED_EVENTS,
        /**
         * Queries with at least one event. The started queries less the four kinds of measured queries are the open
         * ones.
         */
        STARTED_QUERIES,
        COMPLETE_QUERIES,
        EXPIRED_QUERIES,
        ORPHAN_QUERIES,
        /** Policies that cannot be used. */
        REJECTED_POLICIES,
        /** Queries that were merged again for every deadline. */
        PROFILED_QUERIES,
        /** Queries that are NOT_MEASURABLE. */
        UNMEASURABLE_QUERIES,
        /** Results of components that their answers do not name; they count in no quality. */
        UNNAMED_RESULTS,
        /**
         * Events that the local join read in another partition than their query's. It writes them again if the right
         * one belongs to another subtask.
         */
        STRAY_EVENTS,
        /**
         * Those of the late events that the log says were in time: they were read so late that their queries may have
         * been measured and removed.
         */
        OVERDUE_EVENTS,
        /** Events of queries that are not measured, as the job samples its backlog; they are not read. */
        SAMPLED_OUT_EVENTS,
        /**
         * Queries that began near a change of the rate and were then not measured, because the job samples its backlog.
         */
        SAMPLED_OUT_QUERIES,
        /** Events of services whose policy was removed. */
        UNMEASURED_EVENTS,
        /** Queries that were open when their service had no usable policy any more. */
        ENDED_QUERIES,
        /** Times of complete queries until their answers. */
        ONLINE_MILLIS,
        /** Times of complete queries until all results were there; {@code maturity} is the ratio. */
        MATURE_MILLIS
    }

    /** Number of queries in one test of randomness. */
    private static final int UNIFORMITY_QUERIES = 100 * UniformityCheck.BINS;

    private final long[] randomnessBins = new long[UniformityCheck.BINS];
    private int randomnessSeen;
    private volatile double uniformity = 1;

    private final MetricGroup group;
    private final Map<String, Counter> lateByComponent = new HashMap<>();

    QualityMetrics(MetricGroup operatorGroup, ConservedCounters<JoinCount> counts) {
        group = operatorGroup.addGroup(GROUP);
        counts.register(group);
        group.gauge("samplingUniformity", () -> uniformity);
        // Ubora, sec. 7.3.
        group.gauge(
                "maturity",
                () -> (double) counts.get(JoinCount.ONLINE_MILLIS) / Math.max(1, counts.get(JoinCount.MATURE_MILLIS)));
        group.gauge(
                "openQueries",
                () -> counts.get(JoinCount.STARTED_QUERIES)
                        - counts.get(JoinCount.COMPLETE_QUERIES)
                        - counts.get(JoinCount.EXPIRED_QUERIES)
                        - counts.get(JoinCount.ORPHAN_QUERIES)
                        - counts.get(JoinCount.UNMEASURABLE_QUERIES)
                        - counts.get(JoinCount.SAMPLED_OUT_QUERIES)
                        - counts.get(JoinCount.ENDED_QUERIES));
    }

    /**
     * Adds a new sampled query to the test of randomness. {@code samplingUniformity} is the probability that uniformly
     * random ids are at least as uneven as those of the last {@value #UNIFORMITY_QUERIES} queries. If it stays near 0,
     * ids are not random enough for sampling. Sampling depends on the upper bits, so the test uses the lower 40.
     */
    void sampled(QueryKey query) {
        long lowBits = ConsistentSampling.randomness(query) << 16;
        long randomness = lowBits & (ConsistentSampling.RANDOMNESS_RANGE - 1);
        randomnessBins[UniformityCheck.bin(randomness, 0)]++;
        if (++randomnessSeen == UNIFORMITY_QUERIES) {
            uniformity = UniformityCheck.probability(randomnessBins);
            Arrays.fill(randomnessBins, 0);
            randomnessSeen = 0;
        }
    }

    /** Counts a late event of a component; for answers the name is {@code answer}. */
    void late(String component) {
        String name = lateByComponent.size() < MOST_COMPONENTS ? component : "others";
        lateByComponent
                .computeIfAbsent(name, n -> group.addGroup(COMPONENT, n).counter("lateEvents"))
                .inc();
    }
}
