package io.kipimo.operators.rating;

import java.util.HashMap;
import java.util.Map;
import org.apache.flink.metrics.Gauge;
import org.apache.flink.metrics.MetricGroup;

/**
 * Metrics of the rating job's operator, in group {@code kipimo}: {@code ratingsUnderWay}, and
 * {@code ratingSilenceMillis}, the longest time without news of a running rating; 0 without ratings.
 */
final class RatingMetrics {
    private final Map<String, Long> newsMillis = new HashMap<>();
    private volatile int underWay;
    private volatile long silenceMillis;

    RatingMetrics(MetricGroup operatorGroup) {
        MetricGroup group = operatorGroup.addGroup("kipimo");
        Gauge<Integer> ratings = () -> underWay;
        Gauge<Long> silence = () -> silenceMillis;
        group.gauge("ratingsUnderWay", ratings);
        group.gauge("ratingSilenceMillis", silence);
    }

    /** Updates the gauges after a heartbeat of a running rating. */
    void tick(String ratingId, long nowMillis) {
        newsMillis.putIfAbsent(ratingId, nowMillis);
        update(nowMillis);
    }

    void news(String ratingId, long nowMillis) {
        newsMillis.put(ratingId, nowMillis);
        update(nowMillis);
    }

    void over(String ratingId, long nowMillis) {
        newsMillis.remove(ratingId);
        update(nowMillis);
    }

    private void update(long nowMillis) {
        underWay = newsMillis.size();
        long oldest =
                newsMillis.values().stream().mapToLong(Long::longValue).min().orElse(nowMillis);
        silenceMillis = Math.max(0, nowMillis - oldest);
    }
}
