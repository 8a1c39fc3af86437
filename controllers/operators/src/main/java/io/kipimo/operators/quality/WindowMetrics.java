package io.kipimo.operators.quality;

import io.kipimo.schemas.quality.QualityWindow;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.flink.metrics.Gauge;
import org.apache.flink.metrics.MetricGroup;

/**
 * Metrics of the windows, in group {@code kipimo} of their operator: for each service/class {@code
 * scope.<scope>.measurableShare}, the share of answers in the newest sliding window whose quality
 * is known to be 1 or can be measured, 0..1; NaN while there are no answers.
 */
final class WindowMetrics {
    /** Further scopes have no gauges, so that names in the data cannot fill the registry. */
    private static final int MOST_SCOPES = 1000;

    private final MetricGroup group;
    private final Map<String, Share> newest = new HashMap<>();

    /** Value of a scope's gauge. */
    private static final class Share {
        private volatile double measurable;
    }

    WindowMetrics(MetricGroup operatorGroup) {
        group = operatorGroup.addGroup("kipimo");
    }

    /**
     * Updates the gauge after a slide of a class.
     *
     * @param windows windows that ended with the slide, which differ only in their metric; none:
     *     they were empty
     */
    void closed(String scope, List<QualityWindow> windows) {
        Share share = newest.get(scope);
        if (share == null) {
            if (windows.isEmpty() || newest.size() >= MOST_SCOPES) {
                return;
            }
            Share added = new Share();
            Gauge<Double> gauge = () -> added.measurable;
            group.addGroup("scope", scope).gauge("measurableShare", gauge);
            newest.put(scope, added);
            share = added;
        }
        share.measurable =
                windows.isEmpty() || windows.get(0).answered() == 0
                        ? Double.NaN
                        : windows.get(0).measurableShare();
    }
}
