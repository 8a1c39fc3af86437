package io.kipimo.operators.rating;

import java.util.HashMap;
import java.util.Map;
import org.apache.flink.metrics.Gauge;
import org.apache.flink.metrics.MetricGroup;

/**
 * Metrics of ratings, in group {@code kipimo} of the operator: {@code kipimo.service.<name>.target.<name>.ratingStale}
 * is 1 when the newest rating of a target is stale, 0 when it holds.
 */
final class StaleRatingMetrics {
    /** Further targets have no gauges, so that names in the data cannot fill the registry. */
    private static final int MOST_TARGETS = 1_000;

    private final MetricGroup group;
    private final Map<String, Newest> newest = new HashMap<>();

    private static final class Newest {
        private volatile boolean stale;
    }

    StaleRatingMetrics(MetricGroup operatorGroup) {
        group = operatorGroup.addGroup("kipimo");
    }

    void stale(String service, String target, boolean stale) {
        Newest known = newest.get(service + '/' + target);
        if (known == null) {
            if (newest.size() >= MOST_TARGETS) {
                return;
            }
            known = new Newest();
            newest.put(service + '/' + target, known);
            Newest newestOfTarget = known;
            group.addGroup("service", service).addGroup("target", target).gauge("ratingStale", (Gauge<Integer>)
                    () -> newestOfTarget.stale ? 1 : 0);
        }
        known.stale = stale;
    }
}
