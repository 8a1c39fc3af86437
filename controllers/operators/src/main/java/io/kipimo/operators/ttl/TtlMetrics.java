package io.kipimo.operators.ttl;

import io.kipimo.schemas.caching.CachingWindow;
import io.kipimo.schemas.caching.TtlQuantiles;
import java.util.HashMap;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import org.apache.flink.metrics.Gauge;
import org.apache.flink.metrics.MetricGroup;

/**
 * Every metric of the ttl job's operators, in group {@code kipimo} of the operator. The newest
 * window of each table is there too: {@code kipimo.service.<name>.table.<name>.originReads} and so
 * on.
 */
final class TtlMetrics {
    /** Root of all names. */
    static final String GROUP = "kipimo";

    /** Events of services and tables beyond what is kept apart. */
    static final String TOO_MANY_NAMES = "tooManyNames";

    /** Further tables have no gauges: a name in the data must not fill the registry. */
    private static final int MOST_TABLES = 1000;

    /**
     * Counters of what comes to records; all are checkpointed gauges that sum over the subtasks.
     */
    enum RecordCount {
        WRITES("writes"),
        /** Reads of records, not of queries. */
        READS("recordReads"),
        /** Queries that asked for rates, counted once a shard of records. */
        QUESTIONS("rateQuestions"),
        /** Events behind the watermark; they were used. */
        LATE_EVENTS("lateEvents"),
        /** Times to live that were told. */
        ESTIMATES("recordEstimates"),
        /** Records that are not read any more. */
        FORGOTTEN("forgottenRecords");

        private final String metricName;

        RecordCount(String metricName) {
            this.metricName = metricName;
        }

        String metricName() {
            return metricName;
        }
    }

    /** Counters of what comes to queries; likewise. */
    enum QueryCount {
        READS("queryReads"),
        /** Late reads whose records' rates were not there; those known before were used. */
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

    /** The window that a table's gauges tell of. */
    private static final class Newest {
        private volatile CachingWindow window;
    }

    TtlMetrics(MetricGroup operatorGroup) {
        group = operatorGroup.addGroup(GROUP);
    }

    /** A window has ended. */
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
                group.addGroup("service", table.window.service())
                        .addGroup("table", table.window.table());
        gauge(labelled, "originReads", table, CachingWindow::originReads);
        gauge(labelled, "writes", table, CachingWindow::writes);
        gauge(labelled, "invalidations", table, CachingWindow::invalidations);
        gauge(labelled, "ttlP50Millis", table, w -> handedOut(w, TtlQuantiles::p50Millis));
        gauge(labelled, "ttlP90Millis", table, w -> handedOut(w, TtlQuantiles::p90Millis));
    }

    private static void gauge(
            MetricGroup group, String name, Newest table, ToDoubleFunction<CachingWindow> figure) {
        Gauge<Double> gauge = () -> figure.applyAsDouble(table.window);
        group.gauge(name, gauge);
    }

    private static double handedOut(CachingWindow window, ToDoubleFunction<TtlQuantiles> figure) {
        return window.handedOut().isPresent() ? figure.applyAsDouble(window.handedOut().get()) : 0;
    }
}
