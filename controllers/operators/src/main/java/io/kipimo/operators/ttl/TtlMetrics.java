package io.kipimo.operators.ttl;

import io.kipimo.operators.metrics.NewestGauges;
import io.kipimo.schemas.caching.CachingWindow;
import io.kipimo.schemas.caching.TtlQuantiles;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import org.apache.flink.metrics.MetricGroup;

/**
 * Metrics of the ttl job's operators, in group {@code kipimo} of the operator. They include the newest window of each
 * table: {@code kipimo.service.<name>.table.<name>.originReads} and so on.
 */
final class TtlMetrics {
    /** Metric group that contains all metrics of the job's operators. */
    static final String GROUP = "kipimo";

    /** Name of the counter of events of services and tables beyond the bound. */
    static final String TOO_MANY_NAMES = "tooManyNames";

    /** Counters of records. They are gauges that checkpoints keep; only their sum over the subtasks is meaningful. */
    enum RecordCount {
        WRITES,
        /** Reads of records, not of queries. */
        RECORD_READS,
        /** Requests of queries for rates, counted once for each shard of records. */
        RATE_QUESTIONS,
        /** Events behind the watermark, which are used nonetheless. */
        LATE_EVENTS,
        /** Published times to live. */
        RECORD_ESTIMATES,
        /** Records that were forgotten because they were not read any more. */
        FORGOTTEN_RECORDS
    }

    /** Counters of queries. They are gauges that checkpoints keep; only their sum over the subtasks is meaningful. */
    enum QueryCount {
        QUERY_READS,
        /** Late reads that were processed without the rates of their records; earlier rates were used instead. */
        READS_WITHOUT_RATES,
        CHANGES,
        LATE_EVENTS,
        QUERY_ESTIMATES,
        FORGOTTEN_QUERIES
    }

    private final NewestGauges<CachingWindow> newest;

    TtlMetrics(MetricGroup operatorGroup) {
        MetricGroup group = operatorGroup.addGroup(GROUP);
        newest = new NewestGauges<CachingWindow>(
                        window -> group.addGroup("service", window.service()).addGroup("table", window.table()))
                .with("originReads", window -> (double) window.originReads())
                .with("writes", window -> (double) window.writes())
                .with("invalidations", window -> (double) window.invalidations())
                .with("ttlP50Millis", handedOut(TtlQuantiles::p50Millis))
                .with("ttlP90Millis", handedOut(TtlQuantiles::p90Millis));
    }

    /** Updates the gauges with a window that has ended. */
    void ended(CachingWindow window) {
        newest.update(window.scope(), window);
    }

    private static Function<CachingWindow, Double> handedOut(ToDoubleFunction<TtlQuantiles> figure) {
        return window -> window.handedOut().map(figure::applyAsDouble).orElse(0.0);
    }
}
