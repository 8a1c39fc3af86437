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
    /** Metric group that contains all metrics of the job's operators. */
    static final String GROUP = "kipimo";

    /** Name of the group for counters by component, {@code kipimo.component.<name>.lateEvents}. */
    private static final String COMPONENT = "component";

    /**
     * Greatest number of components with a counter of their own. Further names share one counter, so that names in the
     * data cannot fill the registry.
     */
    private static final int MOST_COMPONENTS = 1000;

    /** Counters of the join. They are gauges that checkpoints keep; only their sum over the subtasks is meaningful. */
    enum JoinCount {
        /** Events that were joined to their query. */
        JOINED_EVENTS,
        /** Events that came after the expiration window of their query. */
        LATE_EVENTS,
        /** Repeated events. */
        DUPLICATE_EVENTS,
        /** Events of unknown services. */
        REJECTED_EVENTS,
        /**
         * Queries with at least one event. The number of open queries is this number less the queries that were
         * measured, sampled out or ended.
         */
        STARTED_QUERIES,
        COMPLETE_QUERIES,
        EXPIRED_QUERIES,
        ORPHAN_QUERIES,
        /** Policies that cannot be used. */
        REJECTED_POLICIES,
        /** Queries that were profiled: their results were merged again for every deadline. */
        PROFILED_QUERIES,
        /** Queries that are NOT_MEASURABLE. */
        UNMEASURABLE_QUERIES,
        /** Results of components that the answer of the query does not name; they count in no quality. */
        UNNAMED_RESULTS,
        /**
         * Events that the local join read in another partition than their query's. The join writes such an event again
         * if the right partition belongs to another subtask.
         */
        STRAY_EVENTS,
        /**
         * Late events that were in time according to the log, but were read so late that their queries may have been
         * measured and removed.
         */
        OVERDUE_EVENTS,
        /** Events that are not read because their queries are not measured while the job samples its backlog. */
        SAMPLED_OUT_EVENTS,
        /**
         * Queries that began near a change of the rate and were then not measured, because the job samples its backlog.
         */
        SAMPLED_OUT_QUERIES,
        /** Events of services whose policy was removed. */
        UNMEASURED_EVENTS,
        /** Open queries that ended without a measurement because their service no longer had a usable policy. */
        ENDED_QUERIES,
        /** Total time of complete queries from their start to their answer, milliseconds. */
        ONLINE_MILLIS,
        /**
         * Total time of complete queries from their start until all results had arrived, milliseconds. Metric
         * {@code maturity} is {@link #ONLINE_MILLIS} divided by this.
         */
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
     * random ids are at least as uneven as those of the last {@value #UNIFORMITY_QUERIES} queries. If this probability
     * stays near 0, ids are not random enough for sampling. Sampling depends on the upper bits, so the test uses the
     * lower 40.
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
