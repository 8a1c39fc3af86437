package io.kipimo.operators.metrics;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import org.apache.flink.api.common.state.ListState;
import org.apache.flink.api.common.state.ListStateDescriptor;
import org.apache.flink.api.common.typeinfo.PrimitiveArrayTypeInfo;
import org.apache.flink.metrics.MetricGroup;
import org.apache.flink.runtime.state.FunctionInitializationContext;

/**
 * Counters that are stored in the checkpoint. After a failover they still count every event exactly once. So the
 * equation "events in = joined + late + duplicate + rejected" can be checked on a running job. Only the sum over the
 * subtasks is meaningful: after a change of parallelism a subtask may hold the counts of several former ones, or none.
 *
 * @param <E> names of the counters
 */
public final class ConservedCounters<E extends Enum<E>> {
    private static final Pattern NEXT_WORD = Pattern.compile("_(.)");

    private final E[] names;
    private final long[] counts;
    private ListState<long[]> state;

    public ConservedCounters(E[] names) {
        this.names = names;
        this.counts = new long[names.length];
    }

    public void initialize(FunctionInitializationContext context, String stateName) throws Exception {
        state = context.getOperatorStateStore()
                .getListState(
                        new ListStateDescriptor<>(stateName, PrimitiveArrayTypeInfo.LONG_PRIMITIVE_ARRAY_TYPE_INFO));
        Arrays.fill(counts, 0);
        for (long[] former : state.get()) {
            // An older checkpoint lacks counters that were added later.
            for (int i = 0; i < Math.min(former.length, counts.length); i++) {
                counts[i] += former[i];
            }
        }
    }

    public void snapshot() throws Exception {
        state.update(List.of(counts.clone()));
    }

    /** Registers one gauge for each counter. */
    public void register(MetricGroup group) {
        for (E name : names) {
            group.gauge(metricName(name), () -> counts[name.ordinal()]);
        }
    }

    /** Name of a counter's metric: the constant in camel case. */
    public static String metricName(Enum<?> name) {
        return NEXT_WORD.matcher(name.name().toLowerCase(Locale.ROOT)).replaceAll(initial -> initial.group(1)
                .toUpperCase(Locale.ROOT));
    }

    public void increment(E name) {
        counts[name.ordinal()]++;
    }

    public void add(E name, long many) {
        counts[name.ordinal()] += many;
    }

    public long get(E name) {
        return counts[name.ordinal()];
    }
}
