package io.kipimo.operators.ttl;

import io.kipimo.schemas.caching.CachingWindow;
import io.kipimo.schemas.caching.TtlQuantiles;
import java.util.HashMap;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import org.apache.flink.metrics.Gauge;
import org.apache.flink.metrics.MetricGroup;

/**
 * Metrics of the ttl job's operators, in group {@code kipimo} of the operator. They include the newest window of each
 * table: {@code kipimo.service.<name>.table.<name>.originReads} and so on.
 */
final class TtlMetrics {
    /** Root of all names. */
    static final String GROUP = "kipimo";

    /** Events of services and tables beyond the bound. */
    static final String TOO_MANY_NAMES = "tooManyNames";

    /** Further tables have no gauges, so that names in the data cannot fill the registry. */
    private static final int MOST_TABLES = 1000;

    /** Counters of records; all are checkpointed gauges that sum over the subtasks. */
    enum RecordCount {
        WRITES("writes"),
        /** Reads of records, not of queries. */
        READS("recordReads"),
        /** Requests of queries for rates, counted once for each shard of records. */
        QUESTIONS("rateQuestions"),
        /** Events behind the watermark, which are used nonetheless. */
        LATE_EVENTS("lateEvents"),
        /** Published times to live. */
        ESTIMATES("recordEstimates"),
        /** Forgotten records, which were not read any more. */
        FORGOTTEN("forgottenRecords");

        private final String metricName;

        RecordCount(String metricName) {
            this.metricName = metricName;
        }

        String metricName() {
            return metricName;
        }
    }

    /** Counters of queries; all are checkpointed gauges that sum over the subtasks. */
    enum QueryCount {
        READS("queryReads"),
        /** Late reads without rates of their records; earlier rates were used. */
        READS_WITHOUT_RATES("readsWithoutRates"),
        CHANGES("changes"),
        LATE_EVENTS("lateEvents"),
        ESTIMATES("queryEstimates"),
        FORGOTTEN("forgottenQueries");

        private final String metricName;

        QueryCount(String metricName) {
            this.metricName = metricName;
        }

        String metricName() {
            return metricName;
        }
    }

    private final MetricGroup group;
    private final Map<String, Newest> newest = new HashMap<>();

    /** The newest window of a table, for its gauges. */
    private static final class Newest {
        private volatile CachingWindow window;
    }

    TtlMetrics(MetricGroup operatorGroup) {
        group = operatorGroup.addGroup(GROUP);
    }

    /** Updates the gauges with a window that has ended. */
    void ended(CachingWindow window) {
        Newest known = newest.get(window.scope());
        if (known == null) {
            if (newest.size() >= MOST_TABLES) {
                return;
            }
            known = new Newest();
            newest.put(window.scope(), known);
            known.window = window;
            register(known);
        }
        known.window = window;
    }

    private void register(Newest table) {
        MetricGroup labelled =
                group.addGroup("service", table.window.service()).addGroup("table", table.window.table());
        gauge(labelled, "originReads", table, CachingWindow::originReads);
        gauge(labelled, "writes", table, CachingWindow::writes);
        gauge(labelled, "invalidations", table, CachingWindow::invalidations);
        gauge(labelled, "ttlP50Millis", table, w -> handedOut(w, TtlQuantiles::p50Millis));
        gauge(labelled, "ttlP90Millis", table, w -> handedOut(w, TtlQuantiles::p90Millis));
    }

    private static void gauge(MetricGroup group, String name, Newest table, ToDoubleFunction<CachingWindow> figure) {
        Gauge<Double> gauge = () -> figure.applyAsDouble(table.window);
        group.gauge(name, gauge);
    }

    private static double handedOut(CachingWindow window, ToDoubleFunction<TtlQuantiles> figure) {
        return window.handedOut().isPresent()
                ? figure.applyAsDouble(window.handedOut().get())
                : 0;
    }
}
