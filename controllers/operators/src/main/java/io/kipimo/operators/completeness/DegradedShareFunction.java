package io.kipimo.operators.completeness;

import io.kipimo.core.quality.deadline.ProfileBudget;
import io.kipimo.core.sampling.ConsistentSampling;
import io.kipimo.schemas.quality.Measurement;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.streaming.api.functions.ProcessFunction;
import org.apache.flink.util.Collector;

/**
 * Passes on a limited number of degraded measurements a second to the learning of their class. The learned means need
 * no more, and one subtask has to process all measurements of a class. A hash of the query id decides which
 * measurements pass, so the choice does not depend on the quality.
 */
public final class DegradedShareFunction extends ProcessFunction<Measurement, Measurement> {
    private final int perSecond;
    private transient ProfileBudget budget;

    /** @param perSecond greatest number of measurements that a subtask passes on per second; 0: none */
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
