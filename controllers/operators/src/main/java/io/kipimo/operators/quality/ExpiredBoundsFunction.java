package io.kipimo.operators.quality;

import io.kipimo.core.quality.join.ContributionBounds;
import io.kipimo.core.quality.join.ContributionHistory;
import io.kipimo.core.quality.join.JoinOutput;
import io.kipimo.operators.isolation.Isolation;
import io.kipimo.schemas.quality.Measurement;
import java.util.HashMap;
import java.util.Map;
import org.apache.flink.api.common.TaskInfo;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.state.ListState;
import org.apache.flink.api.common.state.ListStateDescriptor;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.java.tuple.Tuple2;
import org.apache.flink.api.java.tuple.Tuple4;
import org.apache.flink.runtime.state.FunctionInitializationContext;
import org.apache.flink.runtime.state.FunctionSnapshotContext;
import org.apache.flink.streaming.api.checkpoint.CheckpointedFunction;
import org.apache.flink.streaming.api.functions.ProcessFunction;
import org.apache.flink.util.Collector;

/**
 * Runs {@link ContributionBounds}, which computes the interval of expired measurements. The time of
 * a record is the {@code measuredBeforeMillis} of {@link JoinOutput#onMeasurement}.
 *
 * <p>Each subtask learns from the queries that it joins. These are a random share of each service's
 * queries, since queries are distributed by the hash of their ids. So measurements need not be
 * shuffled by service. A restored subtask continues with its learned state, so a repeated row is
 * identical. After a change of parallelism each subtask starts with the learned state of all.
 */
public final class ExpiredBoundsFunction extends ProcessFunction<Measurement, Measurement>
        implements CheckpointedFunction {
    private static final long serialVersionUID = 1L;

    private transient Map<String, ContributionBounds> bounds;
    private transient Isolation isolation;
    private transient ListState<Tuple4<Integer, Integer, String, ContributionBounds>> state;

    /** Mean contributions of version 0.1.0. The state is kept for savepoints and empty now. */
    private static ListStateDescriptor<Tuple2<String, ContributionHistory>> formerDescriptor() {
        return new ListStateDescriptor<>(
                "contribution-history",
                Types.TUPLE(Types.STRING, TypeInformation.of(ContributionHistory.class)));
    }

    /** Subtask, parallelism, service, and the subtask's learned state of the service. */
    static ListStateDescriptor<Tuple4<Integer, Integer, String, ContributionBounds>>
            stateDescriptor() {
        return new ListStateDescriptor<>(
                "contribution-bounds",
                Types.TUPLE(
                        Types.INT,
                        Types.INT,
                        Types.STRING,
                        TypeInformation.of(ContributionBounds.class)));
    }

    @Override
    public void initializeState(FunctionInitializationContext context) throws Exception {
        bounds = new HashMap<>();
        context.getOperatorStateStore().getUnionListState(formerDescriptor()).clear();
        state = context.getOperatorStateStore().getUnionListState(stateDescriptor());
        TaskInfo task = getRuntimeContext().getTaskInfo();
        for (Tuple4<Integer, Integer, String, ContributionBounds> one : state.get()) {
            if (one.f1 != task.getNumberOfParallelSubtasks()
                    || one.f0 == task.getIndexOfThisSubtask()) {
                boundsOf(one.f2).add(one.f3);
            }
        }
    }

    @Override
    public void snapshotState(FunctionSnapshotContext context) throws Exception {
        state.clear();
        TaskInfo task = getRuntimeContext().getTaskInfo();
        for (Map.Entry<String, ContributionBounds> one : bounds.entrySet()) {
            state.add(
                    Tuple4.of(
                            task.getIndexOfThisSubtask(),
                            task.getNumberOfParallelSubtasks(),
                            one.getKey(),
                            one.getValue()));
        }
    }

    @Override
    public void processElement(Measurement measurement, Context ctx, Collector<Measurement> out)
            throws Exception {
        // Clean queries have exact scores, and nothing is learned from them.
        if (!measurement.degraded()
                || !isolation.run(
                        measurement.service(),
                        () ->
                                out.collect(
                                        boundsOf(measurement.service())
                                                .complete(measurement, ctx.timestamp())))) {
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
