package io.kipimo.operators.metrics;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;
import org.apache.flink.metrics.Gauge;
import org.apache.flink.metrics.MetricGroup;

/**
 * Gauges that show the newest value of each scope, such as a service or class. Scopes beyond the first
 * {@value #MOST_SCOPES} get no gauges, so that names in the data cannot fill the metric registry. Only one thread may
 * update an instance.
 *
 * @param <T> type of the values, which is immutable
 */
public final class NewestGauges<T> {
    private static final int MOST_SCOPES = 1_000;

    /** Holds the newest value of a scope, for the threads of metric reporters. */
    private static final class NewestValue<T> {
        private volatile T value;
    }

    private final Function<T, MetricGroup> group;
    private final Map<String, Function<T, ? extends Number>> figures = new LinkedHashMap<>();
    private final Map<String, NewestValue<T>> newest = new HashMap<>();

    /** @param group returns the metric group for a scope's gauges, given the scope's first value */
    public NewestGauges(Function<T, MetricGroup> group) {
        this.group = group;
    }

    /** Adds a gauge with this name, which every scope then has. */
    public NewestGauges<T> with(String name, Function<T, ? extends Number> figure) {
        figures.put(name, figure);
        return this;
    }

    public void update(String scope, T value) {
        NewestValue<T> known = newest.get(scope);
        if (known == null) {
            if (newest.size() >= MOST_SCOPES) {
                return;
            }
            NewestValue<T> first = new NewestValue<>();
            first.value = value;
            newest.put(scope, first);
            MetricGroup ofScope = group.apply(value);
            figures.forEach((name, figure) -> ofScope.gauge(name, (Gauge<Number>) () -> figure.apply(first.value)));
            return;
        }
        known.value = value;
    }
}
