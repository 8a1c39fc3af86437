package io.kipimo.console.model;

import io.kipimo.core.quality.window.Judgement;
import io.kipimo.core.quality.window.Verdict;
import io.kipimo.schemas.quality.Estimate;
import io.kipimo.schemas.quality.QualityWindow;
import java.util.Collection;
import java.util.EnumMap;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;

/**
 * The newest {@value #CAPACITY} sliding windows of one class by one metric; only the newest one is kept in full.
 * Windows may arrive in any order and more than once.
 */
final class QualityHistory {
    static final int CAPACITY = 360;

    /**
     * One window. Unknown figures are NaN.
     *
     * @param admittedShare admitted share of the offered queries
     * @param measurableShare measurable share of the answers
     */
    record QualityPoint(
            long startMillis,
            long endMillis,
            double objective,
            Optional<Estimate> estimate,
            double timeOutShare,
            double admittedShare,
            double answeredPerSecond,
            double measurableShare,
            int samples,
            int expired) {

        static QualityPoint of(QualityWindow w) {
            double seconds = Math.max(1, w.endMillis() - w.startMillis()) / 1000.0;
            return new QualityPoint(
                    w.startMillis(),
                    w.endMillis(),
                    w.objective(),
                    w.estimate(),
                    w.measurable() == 0 ? Double.NaN : w.timeOutShare(),
                    w.offered() == 0 ? Double.NaN : 1 - Math.min(1, (double) w.rejected() / w.offered()),
                    w.answered() / seconds,
                    w.measurableShare(),
                    w.samples(),
                    w.expired());
        }

        /**
         * A figure of the window's estimate. NaN if there is no estimate, or if most answers are not measurable,
         * because the figure would then mean little.
         */
        double shown(ToDoubleFunction<Estimate> figure) {
            return RunCondition.NOT_MEASURABLE.holds(this)
                    ? Double.NaN
                    : estimate.map(figure::applyAsDouble).orElse(Double.NaN);
        }

        double expiredShare() {
            return samples == 0 ? Double.NaN : Math.min(1, (double) expired / samples);
        }
    }

    /** A condition that may hold for several consecutive windows. */
    enum RunCondition {
        BELOW_OBJECTIVE,
        UNCERTAIN,
        MANY_EXPIRED,
        NOT_ENOUGH,
        /** Fewer than half of the answers are measurable. */
        NOT_MEASURABLE,
        /**
         * The low end of the interval is at least the objective, and neither of {@link #MANY_EXPIRED} and
         * {@link #NOT_MEASURABLE} holds.
         */
        FINE;

        boolean holds(QualityPoint point) {
            Verdict byInterval = Verdict.of(point.estimate(), point.objective());
            return switch (this) {
                case BELOW_OBJECTIVE -> byInterval == Verdict.WRONG;
                case UNCERTAIN -> byInterval == Verdict.UNCERTAIN;
                case MANY_EXPIRED -> Judgement.isManyExpired(point.expired(), point.samples());
                case NOT_ENOUGH -> byInterval == Verdict.UNKNOWN;
                case NOT_MEASURABLE -> !Verdict.isEnough(point.measurableShare());
                case FINE -> byInterval == Verdict.FINE && !MANY_EXPIRED.holds(point) && !NOT_MEASURABLE.holds(point);
            };
        }
    }

    private final NavigableMap<Long, QualityPoint> points = new TreeMap<>();
    private final Map<RunCondition, OptionalLong> runs = new EnumMap<>(RunCondition.class);
    private QualityWindow newest;

    void add(QualityWindow window) {
        runs.clear();
        points.put(window.endMillis(), QualityPoint.of(window));
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

    /** Points, in order of the ends of their windows. */
    Collection<QualityPoint> points() {
        return points.values();
    }

    /**
     * End of the first window in the unbroken run of windows with a condition, up to the newest window; empty if the
     * newest window does not have it. The result is cached, because it is asked for often and windows are rare.
     */
    OptionalLong since(RunCondition run) {
        return runs.computeIfAbsent(run, this::walkBack);
    }

    private OptionalLong walkBack(RunCondition run) {
        OptionalLong since = OptionalLong.empty();
        for (QualityPoint point : points.descendingMap().values()) {
            if (!run.holds(point)) {
                break;
            }
            since = OptionalLong.of(point.endMillis());
        }
        return since;
    }
}
