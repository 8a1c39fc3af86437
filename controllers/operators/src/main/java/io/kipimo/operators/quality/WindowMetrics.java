package io.kipimo.operators.quality;

import io.kipimo.schemas.field.ServiceClass;
import io.kipimo.schemas.quality.Estimate;
import io.kipimo.schemas.quality.QualityWindow;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.DoubleSupplier;
import java.util.function.ToDoubleFunction;
import org.apache.flink.metrics.Gauge;
import org.apache.flink.metrics.MetricGroup;

/**
 * Metrics of the quality windows, in group {@code kipimo} of their operator.
 *
 * <p>Gauges of the newest sliding window, which are NaN while the window is empty:
 *
 * <ul>
 *   <li>{@code scope.<service/class>.measurableShare} and {@code service.<service>.class.<class>.measurableRatio}:
 *       share of answers whose quality is known to be 1 or can be measured, 0..1;
 *   <li>{@code service.….class.….zeroResultRatio}: share of answers without any item, 0..1; also NaN if no front end
 *       reads the items of its answers;
 *   <li>{@code service.….class.….metric.<metric>.bound.<low|mean|high>.quality}: mean quality and the ends of its 95 %
 *       interval; also NaN if there are too few samples;
 *   <li>{@code service.….class.….metric.….objective}: the objective of the class, which is given only for the policy's
 *       first metric; NaN without an objective.
 * </ul>
 *
 * <p>Sums over control batches, which do not overlap, since the start of the task:
 *
 * <ul>
 *   <li>{@code service.….class.….estimated.<yes|no>.answers}: number of answers. {@code no} counts the unmeasurable
 *       answers, and all answers of a batch with too few samples for an estimate; {@code yes} counts all others;
 *   <li>{@code service.….class.….metric.….bound.….qualityLost}: lost quality of the {@code yes} answers, in answers:
 *       ten answers of quality 0.9 lose 1. {@code low} is from the high end of each batch's interval, {@code high} from
 *       its low end.
 * </ul>
 *
 * <p>The sums restart at 0 with the task, as counters do. They are gauges because Flink's counters are whole numbers.
 */
final class WindowMetrics {
    /**
     * Number of scopes that have gauges. Further scopes have none, so that names in the data cannot fill the registry.
     */
    private static final int MOST_SCOPES = 1000;

    private final MetricGroup group;
    private final Map<String, ClassFigures> byScope = new HashMap<>();

    WindowMetrics(MetricGroup operatorGroup) {
        group = operatorGroup.addGroup("kipimo");
    }

    /**
     * Updates the gauges after a slide of a class.
     *
     * @param windows windows that ended with the slide, one for each metric; empty list: the windows were empty
     */
    void closed(String scope, List<QualityWindow> windows) {
        ClassFigures figures = windows.isEmpty() ? byScope.get(scope) : figuresOf(windows.get(0));
        if (figures != null) {
            figures.closed(windows);
        }
    }

    /**
     * Adds a control batch to the sums.
     *
     * @param windows windows of the batch, one for each metric; empty list: the batch has not ended yet
     */
    void completed(List<QualityWindow> windows) {
        ClassFigures figures = windows.isEmpty() ? null : figuresOf(windows.get(0));
        if (figures != null) {
            figures.completed(windows);
        }
    }

    private ClassFigures figuresOf(QualityWindow window) {
        String scope = window.scope();
        ClassFigures figures = byScope.get(scope);
        if (figures == null && byScope.size() < MOST_SCOPES) {
            figures = new ClassFigures(group, window.serviceClass());
            byScope.put(scope, figures);
        }
        return figures;
    }

    private static void gauge(MetricGroup group, String name, DoubleSupplier value) {
        Gauge<Double> gauge = value::getAsDouble;
        group.gauge(name, gauge);
    }

    /** Values of the gauges of one class. */
    private static final class ClassFigures {
        private final MetricGroup ofClass;
        private final Map<String, MetricFigures> byMetric = new HashMap<>();
        private volatile double measurable = Double.NaN;
        private volatile double withoutItems = Double.NaN;
        private volatile double estimated;
        private volatile double notEstimated;

        ClassFigures(MetricGroup group, ServiceClass scope) {
            gauge(group.addGroup("scope", scope.toString()), "measurableShare", () -> measurable);
            ofClass = group.addGroup("service", scope.service()).addGroup("class", scope.queryClass());
            gauge(ofClass, "measurableRatio", () -> measurable);
            gauge(ofClass, "zeroResultRatio", () -> withoutItems);
            gauge(ofClass.addGroup("estimated", "yes"), "answers", () -> estimated);
            gauge(ofClass.addGroup("estimated", "no"), "answers", () -> notEstimated);
        }

        void closed(List<QualityWindow> windows) {
            QualityWindow any = windows.isEmpty() ? null : windows.get(0);
            measurable = any == null || any.answered() == 0 ? Double.NaN : any.measurableShare();
            withoutItems = any == null ? Double.NaN : any.zeroResultRate().orElse(Double.NaN);
            byMetric.values().forEach(MetricFigures::forget);
            windows.forEach(window -> figuresOf(window.metric()).newest = window.estimate());
            // A class that the policy does not name has the objective 0.
            if (any != null && any.objective() > 0) {
                figuresOf(any.metric()).objective = any.objective();
            }
        }

        // One thread writes; reporters only read.
        @SuppressWarnings("NonAtomicVolatileUpdate")
        void completed(List<QualityWindow> windows) {
            QualityWindow any = windows.get(0);
            boolean all = windows.stream().allMatch(window -> window.estimate().isPresent());
            long measured = all ? any.measurable() : 0;
            estimated += measured;
            notEstimated += any.answered() - measured;
            if (all) {
                windows.forEach(window -> figuresOf(window.metric())
                        .lose(measured, window.estimate().orElseThrow()));
            }
        }

        private MetricFigures figuresOf(String metric) {
            return byMetric.computeIfAbsent(metric, name -> new MetricFigures(ofClass.addGroup("metric", name)));
        }
    }

    /** Values of the gauges of one class and metric. */
    private static final class MetricFigures {
        private volatile Optional<Estimate> newest = Optional.empty();
        private volatile double objective = Double.NaN;
        private volatile double leastLost;
        private volatile double meanLost;
        private volatile double mostLost;

        MetricFigures(MetricGroup ofMetric) {
            gauge(ofMetric, "objective", () -> objective);
            bound(ofMetric, "low", Estimate::low, () -> leastLost);
            bound(ofMetric, "mean", Estimate::mean, () -> meanLost);
            bound(ofMetric, "high", Estimate::high, () -> mostLost);
        }

        private void bound(MetricGroup ofMetric, String name, ToDoubleFunction<Estimate> quality, DoubleSupplier lost) {
            MetricGroup ofBound = ofMetric.addGroup("bound", name);
            gauge(ofBound, "quality", () -> newest.map(quality::applyAsDouble).orElse(Double.NaN));
            gauge(ofBound, "qualityLost", lost);
        }

        void forget() {
            newest = Optional.empty();
            objective = Double.NaN;
        }

        // One thread writes; reporters only read.
        @SuppressWarnings("NonAtomicVolatileUpdate")
        void lose(long answers, Estimate quality) {
            leastLost += answers * (1 - quality.high());
            meanLost += answers * (1 - quality.mean());
            mostLost += answers * (1 - quality.low());
        }
    }
}
