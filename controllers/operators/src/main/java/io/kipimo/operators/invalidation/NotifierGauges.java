package io.kipimo.operators.invalidation;

import org.apache.flink.metrics.Gauge;
import org.apache.flink.metrics.Histogram;
import org.apache.flink.metrics.MetricGroup;
import org.apache.flink.runtime.metrics.DescriptiveStatisticsHistogram;
import org.apache.flink.streaming.runtime.tasks.ProcessingTimeService;

/**
 * How far behind writes their notifications are, in group {@code kipimo} of the notifier:
 *
 * <ul>
 *   <li>{@value #LAG}, a histogram of the last thousand: from a write to its notification's way
 *       into the log;
 *   <li>{@value #FRONTIER_AGE}: how long ago the time is before which all is told; -1 as long as
 *       none is. It grows while nothing is written.
 * </ul>
 */
final class NotifierGauges {
    static final String LAG = "notificationLagMillis";
    static final String FRONTIER_AGE = "frontierAgeMillis";
    private static final int NEWEST = 1_000;

    private final ProcessingTimeService clock;
    private final Histogram lag;
    private volatile long completeBeforeMillis = -1;

    NotifierGauges(MetricGroup group, ProcessingTimeService clock) {
        this.clock = clock;
        lag = group.histogram(LAG, new DescriptiveStatisticsHistogram(NEWEST));
        Gauge<Long> age = this::frontierAgeMillis;
        group.gauge(FRONTIER_AGE, age);
    }

    void onPublished(long writtenMillis) {
        lag.update(clock.getCurrentProcessingTime() - writtenMillis);
    }

    void completeBefore(long millis) {
        completeBeforeMillis = millis;
    }

    private long frontierAgeMillis() {
        return completeBeforeMillis < 0
                ? -1
                : clock.getCurrentProcessingTime() - completeBeforeMillis;
    }
}
