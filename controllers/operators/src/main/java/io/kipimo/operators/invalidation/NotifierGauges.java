package io.kipimo.operators.invalidation;

import org.apache.flink.metrics.Gauge;
import org.apache.flink.metrics.Histogram;
import org.apache.flink.metrics.MetricGroup;
import org.apache.flink.runtime.metrics.DescriptiveStatisticsHistogram;
import org.apache.flink.streaming.runtime.tasks.ProcessingTimeService;

/**
 * Metrics of how long after a write its notification is sent, in group {@code kipimo} of the notifier:
 *
 * <ul>
 *   <li>{@value #LAG}, a histogram of the last thousand notifications: time from the write until the notification is
 *       sent to the log;
 *   <li>{@value #FRONTIER_AGE}: age in milliseconds of the time before which all notifications were sent; -1 while
 *       there is no such time. The age grows while there are no writes.
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
        return completeBeforeMillis < 0 ? -1 : clock.getCurrentProcessingTime() - completeBeforeMillis;
    }
}
