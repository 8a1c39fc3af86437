package io.kipimo.operators.quality;

import io.kipimo.schemas.quality.QualityWindow;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.flink.metrics.Gauge;
import org.apache.flink.metrics.MetricGroup;

/**
 * Every metric of the windows, in group {@code kipimo} of their operator: of each service/class
 * {@code scope.<scope>.measurableShare}, the share of the answers of the newest sliding window
 * whose quality is known to be 1 or can be measured, 0..1; NaN while there are no answers.
 */
final class WindowMetrics {
    /** Further scopes have no gauges: a name in the data must not fill the registry. */
    private static final int MOST_SCOPES = 1000;

    private final MetricGroup group;
    private final Map<String, Share> newest = new HashMap<>();

    /** What a scope's gauge tells. */
    private static final class Share {
        private volatile double measurable;
    }

    WindowMetrics(MetricGroup operatorGroup) {
        group = operatorGroup.addGroup("kipimo");
    }

    /**
     * A slide of a class is over.
     *
     * @param windows that ended with it, which differ by metric alone; none: nothing was in them
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
