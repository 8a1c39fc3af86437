package io.kipimo.core.quality.join;

import io.kipimo.schemas.quality.Measurement;
import io.kipimo.schemas.quality.QueryKey;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.function.ToIntFunction;

/**
 * Keeps the {@link ContributionBounds} of each service in each partition of a log. A measurement must not depend on
 * which subtasks join which partitions, so nothing is learned across partitions. Mutable, for one thread.
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

    /** Applies {@link ContributionBounds#complete} of the measurement's service and partition. */
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

    /** Continues with learned bounds, which this object owns from now on. */
    public void restore(PartitionService at, ContributionBounds learned) {
        bounds.put(at, learned);
    }

    /** The bounds learned so far, as a view. */
    public Map<PartitionService, ContributionBounds> learned() {
        return Collections.unmodifiableMap(bounds);
    }
}
