package io.kipimo.console.model;

import io.kipimo.schemas.quality.QualityWindow;
import io.kipimo.schemas.quality.Unmeasurable;
import java.util.Collection;
import java.util.EnumMap;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;

/**
 * The newest {@value #CAPACITY} sliding windows of one class by one metric; only the newest one is
 * kept in full. Windows may arrive in any order and more than once.
 */
final class QualityHistory {
    static final int CAPACITY = 360;

    /**
     * One window. Unknown figures are NaN.
     *
     * @param admittedShare admitted share of the offered queries
     * @param measurableShare measurable share of the answers
     */
    record Point(
            long endMillis,
            double objective,
            double low,
            double mean,
            double high,
            double timeOutShare,
            double admittedShare,
            double answeredPerSecond,
            double measurableShare,
            int samples,
            int expired) {

        static Point of(QualityWindow w) {
            double seconds = Math.max(1, w.endMillis() - w.startMillis()) / 1000.0;
            return new Point(
                    w.endMillis(),
                    w.objective(),
                    w.estimate().map(e -> e.low()).orElse(Double.NaN),
                    w.estimate().map(e -> e.mean()).orElse(Double.NaN),
                    w.estimate().map(e -> e.high()).orElse(Double.NaN),
                    w.measurable() == 0 ? Double.NaN : w.timeOutShare(),
                    w.offered() == 0
                            ? Double.NaN
                            : 1 - Math.min(1, (double) w.rejected() / w.offered()),
                    w.answered() / seconds,
                    w.measurableShare(),
                    w.samples(),
                    w.expired());
        }

        /**
         * A figure of its quality; NaN if most answers are not measurable, since it would mean
         * little.
         */
        double shown(double quality) {
            return Run.NOT_MEASURABLE.holds(this) ? Double.NaN : quality;
        }

        double expiredShare() {
            return samples == 0 ? Double.NaN : Math.min(1, (double) expired / samples);
        }
    }

    /** A condition that consecutive windows may have in common. */
    enum Run {
        /** The high end of the interval is below the objective. */
        BELOW_OBJECTIVE,
        MANY_EXPIRED,
        NOT_ENOUGH,
        /** Fewer than half of the answers are measurable. */
        NOT_MEASURABLE,
        /** None of the above. */
        FINE;

        boolean holds(Point point) {
            return switch (this) {
                case BELOW_OBJECTIVE -> point.high() < point.objective();
                case MANY_EXPIRED ->
                        point.expired() >= Diagnosis.EXPIRED_AT_LEAST
                                && point.expiredShare() > Diagnosis.EXPIRED_SHARE;
                case NOT_ENOUGH -> Double.isNaN(point.mean());
                case NOT_MEASURABLE ->
                        point.measurableShare() < Unmeasurable.LEAST_MEASURABLE_SHARE;
                case FINE ->
                        point.high() >= point.objective()
                                && !MANY_EXPIRED.holds(point)
                                && !NOT_MEASURABLE.holds(point);
            };
        }
    }

    private final NavigableMap<Long, Point> points = new TreeMap<>();
    private final Map<Run, OptionalLong> runs = new EnumMap<>(Run.class);
    private QualityWindow newest;

    void add(QualityWindow window) {
        runs.clear();
        points.put(window.endMillis(), Point.of(window));
        if (points.size() > CAPACITY) {
            points.pollFirstEntry();
        }
        if (newest == null || window.endMillis() >= newest.endMillis()) {
            newest = window;
        }
    }

    Optional<QualityWindow> newest() {
        return Optional.ofNullable(newest);
    }

    /** Points, ascending by end. */
    Collection<Point> points() {
        return points.values();
    }

    /**
     * End of the first of the newest consecutive windows with a condition; empty if the newest does
     * not have it. Cached, because it is called often and windows are rare.
     */
    OptionalLong since(Run run) {
        return runs.computeIfAbsent(run, this::walkBack);
    }

    private OptionalLong walkBack(Run run) {
        OptionalLong since = OptionalLong.empty();
        for (Point point : points.descendingMap().values()) {
            if (!run.holds(point)) {
                break;
            }
            since = OptionalLong.of(point.endMillis());
        }
        return since;
    }
}
