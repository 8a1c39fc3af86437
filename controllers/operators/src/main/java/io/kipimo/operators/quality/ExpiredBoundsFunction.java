package io.kipimo.operators.quality;

import io.kipimo.core.quality.join.ContributionHistory;
import io.kipimo.schemas.quality.Measurement;
import java.util.HashMap;
import java.util.Map;
import org.apache.flink.api.common.state.ListState;
import org.apache.flink.api.common.state.ListStateDescriptor;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.java.tuple.Tuple2;
import org.apache.flink.runtime.state.FunctionInitializationContext;
import org.apache.flink.runtime.state.FunctionSnapshotContext;
import org.apache.flink.streaming.api.checkpoint.CheckpointedFunction;
import org.apache.flink.streaming.api.functions.ProcessFunction;
import org.apache.flink.util.Collector;

/**
 * Runs {@link ContributionHistory}: gives expired measurements their low ends.
 *
 * <p>Each subtask learns from the queries that it joins. They are a random share of each service's,
 * since queries are spread by the hash of their ids, and so no measurement has to travel to where
 * its service is known. What was learnt is the operator's state; a job that is restored begins with
 * what all subtasks had learnt.
 */
public final class ExpiredBoundsFunction extends ProcessFunction<Measurement, Measurement>
        implements CheckpointedFunction {
    private static final long serialVersionUID = 1L;

    private transient Map<String, ContributionHistory> histories;
    private transient ListState<Tuple2<String, ContributionHistory>> state;

    /** History by service. */
    static ListStateDescriptor<Tuple2<String, ContributionHistory>> stateDescriptor() {
        return new ListStateDescriptor<>(
                "contribution-history",
                Types.TUPLE(Types.STRING, TypeInformation.of(ContributionHistory.class)));
    }

    @Override
    public void initializeState(FunctionInitializationContext context) throws Exception {
        histories = new HashMap<>();
        state = context.getOperatorStateStore().getUnionListState(stateDescriptor());
        for (Tuple2<String, ContributionHistory> one : state.get()) {
            historyOf(one.f0).add(one.f1);
        }
    }

    @Override
    public void snapshotState(FunctionSnapshotContext context) throws Exception {
        state.clear();
        for (Map.Entry<String, ContributionHistory> one : histories.entrySet()) {
            state.add(Tuple2.of(one.getKey(), one.getValue()));
        }
    }

    @Override
    public void processElement(Measurement measurement, Context ctx, Collector<Measurement> out) {
        // Nothing is learnt from clean queries, and they have exact scores.
        out.collect(
                measurement.degraded()
                        ? historyOf(measurement.service()).complete(measurement)
                        : measurement);
    }

    private ContributionHistory historyOf(String service) {
        return histories.computeIfAbsent(service, s -> new ContributionHistory());
    }
}
