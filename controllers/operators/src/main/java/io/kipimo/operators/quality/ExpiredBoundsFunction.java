package io.kipimo.operators.quality;

import io.kipimo.core.quality.join.ContributionBounds;
import io.kipimo.core.quality.join.JoinOutput;
import io.kipimo.operators.isolation.Isolation;
import io.kipimo.operators.types.StateFormats;
import io.kipimo.schemas.quality.Measurement;
import java.util.HashMap;
import java.util.Map;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.state.BroadcastState;
import org.apache.flink.api.common.state.MapStateDescriptor;
import org.apache.flink.api.common.state.OperatorStateStore;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.runtime.state.FunctionInitializationContext;
import org.apache.flink.runtime.state.FunctionSnapshotContext;
import org.apache.flink.streaming.api.checkpoint.CheckpointedFunction;
import org.apache.flink.streaming.api.functions.ProcessFunction;
import org.apache.flink.util.Collector;

/**
 * Runs {@link ContributionBounds}, which computes the interval of expired measurements. The time of a record is the
 * {@code measuredBeforeMillis} of {@link JoinOutput#onMeasurement}.
 *
 * <p>Each subtask learns from the queries that it joins. These are a random share of each service's queries, since
 * queries are distributed by the hash of their ids. So measurements need not be shuffled by service. A restored subtask
 * continues with its learned state, so a repeated row is identical.
 *
 * <p>The state is broadcast state, although subtasks learn different things. Flink gives each subtask the state of one
 * former subtask; at an unchanged parallelism, its own. A union list would give each subtask all states, but with one
 * in the vertex of a source, Flink 2.2.1 fails stop-with-savepoint now and then.
 */
public final class ExpiredBoundsFunction extends ProcessFunction<Measurement, Measurement>
        implements CheckpointedFunction {
    /** The operator's uid. */
    public static final String UID = "expired-bounds";

    private transient Map<String, ContributionBounds> bounds;
    private transient Isolation isolation;
    private transient BroadcastState<String, ContributionBounds> state;

    /** What this subtask has learned of each service. */
    static MapStateDescriptor<String, ContributionBounds> stateDescriptor() {
        return new MapStateDescriptor<>(
                "contribution-bounds", Types.STRING, StateFormats.CONTRIBUTION_BOUNDS.typeInfo());
    }

    @Override
    public void initializeState(FunctionInitializationContext context) throws Exception {
        OperatorStateStore store = context.getOperatorStateStore();
        state = store.getBroadcastState(stateDescriptor());
        bounds = new HashMap<>();
        for (Map.Entry<String, ContributionBounds> one : state.immutableEntries()) {
            bounds.put(one.getKey(), one.getValue());
        }
    }

    @Override
    public void snapshotState(FunctionSnapshotContext context) throws Exception {
        state.clear();
        state.putAll(bounds);
    }

    @Override
    public void processElement(Measurement measurement, Context ctx, Collector<Measurement> out) throws Exception {
        // Clean queries have exact scores, and nothing is learned from them.
        if (!measurement.degraded()
                || !isolation.run(
                        measurement.service(),
                        () -> out.collect(boundsOf(measurement.service()).complete(measurement, ctx.timestamp())))) {
            // Without learned bounds the low end of a degraded query is 0.
            out.collect(measurement);
        }
    }

    @Override
    public void open(OpenContext context) {
        isolation = new Isolation(getRuntimeContext().getMetricGroup());
    }

    private ContributionBounds boundsOf(String service) {
        return bounds.computeIfAbsent(service, s -> new ContributionBounds());
    }
}
