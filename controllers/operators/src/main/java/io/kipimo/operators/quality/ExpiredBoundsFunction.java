package io.kipimo.operators.quality;

import io.kipimo.core.quality.join.ContributionHistory;
import io.kipimo.schemas.quality.Measurement;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.streaming.api.functions.KeyedProcessFunction;
import org.apache.flink.util.Collector;

/**
 * Runs {@link ContributionHistory}, keyed by service: gives expired measurements their low ends.
 */
public final class ExpiredBoundsFunction
        extends KeyedProcessFunction<String, Measurement, Measurement> {
    private static final long serialVersionUID = 1L;

    private transient ValueState<ContributionHistory> history;

    static ValueStateDescriptor<ContributionHistory> stateDescriptor() {
        return new ValueStateDescriptor<>(
                "contribution-history", TypeInformation.of(ContributionHistory.class));
    }

    @Override
    public void open(OpenContext openContext) {
        history = getRuntimeContext().getState(stateDescriptor());
    }

    @Override
    public void processElement(Measurement measurement, Context ctx, Collector<Measurement> out)
            throws Exception {
        ContributionHistory known = history.value();
        if (known == null) {
            known = new ContributionHistory();
        }
        out.collect(known.complete(measurement));
        history.update(known);
    }
}
