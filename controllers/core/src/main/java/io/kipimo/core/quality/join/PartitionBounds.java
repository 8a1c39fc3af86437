package io.kipimo.core.quality.join;

import io.kipimo.schemas.quality.Measurement;
import io.kipimo.schemas.quality.QueryKey;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.function.ToIntFunction;

/**
 * {@link ContributionBounds} of each service in each partition of a log. What a row says must not depend on which
 * subtasks join which partitions, so nothing is learned across partitions. Mutable, for one thread.
 */
public final class PartitionBounds {
    /** A service in a partition. */
    public record PartitionService(int partition, String service) {}

    private final ToIntFunction<QueryKey> partitionOf;
    private final Map<PartitionService, ContributionBounds> bounds = new HashMap<>();

    /** @param partitionOf partition of a query's events */
    public PartitionBounds(ToIntFunction<QueryKey> partitionOf) {
        this.partitionOf = partitionOf;
    }

    /** As {@link ContributionBounds#complete}. */
    public Measurement complete(Measurement measurement, long beforeMillis) {
        // Clean queries, which most are, have exact scores, and nothing is learned from them.
        if (!measurement.degraded()) {
            return measurement;
        }
        String service = measurement.service();
        int partition = partitionOf.applyAsInt(new QueryKey(service, measurement.queryId()));
        return bounds.computeIfAbsent(new PartitionService(partition, service), at -> new ContributionBounds())
                .complete(measurement, beforeMillis);
    }

    /** Continues with what was learned; this object owns it from now on. */
    public void restore(PartitionService at, ContributionBounds learned) {
        bounds.put(at, learned);
    }

    /** What was learned so far; a view. */
    public Map<PartitionService, ContributionBounds> learned() {
        return Collections.unmodifiableMap(bounds);
    }
}
