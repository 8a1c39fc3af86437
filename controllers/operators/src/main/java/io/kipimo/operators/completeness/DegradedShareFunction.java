package io.kipimo.operators.completeness;

import io.kipimo.core.quality.deadline.ProfileBudget;
import io.kipimo.core.sampling.ConsistentSampling;
import io.kipimo.schemas.quality.Measurement;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.streaming.api.functions.ProcessFunction;
import org.apache.flink.util.Collector;

/**
 * Passes on a limited number of degraded measurements a second to the learning of their class. More are not needed for
 * the learned means, and all measurements of a class go to one subtask. The choice is by a hash of the query id and so
 * independent of the quality.
 */
public final class DegradedShareFunction extends ProcessFunction<Measurement, Measurement> {
    private final int perSecond;
    private transient ProfileBudget budget;

    /** @param perSecond most measurements a second and subtask; 0: none */
    public DegradedShareFunction(int perSecond) {
        this.perSecond = perSecond;
    }

    @Override
    public void open(OpenContext openContext) {
        budget = new ProfileBudget(perSecond);
    }

    @Override
    public void processElement(Measurement measurement, Context ctx, Collector<Measurement> out) {
        if (measurement.degraded()
                && measurement.completeness().hasQuality()
                && budget.admits(
                        ConsistentSampling.randomness(measurement.queryId()),
                        ctx.timerService().currentProcessingTime())) {
            out.collect(measurement);
        }
    }
}
