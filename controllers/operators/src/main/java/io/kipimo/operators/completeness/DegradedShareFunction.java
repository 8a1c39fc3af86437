package io.kipimo.operators.completeness;

import io.kipimo.core.quality.deadline.ProfileBudget;
import io.kipimo.core.sampling.ConsistentSampling;
import io.kipimo.schemas.quality.Measurement;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.streaming.api.functions.ProcessFunction;
import org.apache.flink.util.Collector;

/**
 * Lets degraded measurements on to where their class is learned from, at most so many a second: the
 * means that are learned need no more, and all of a class meet in one place. Chosen by a hash of
 * the query id, so independently of the quality.
 */
public final class DegradedShareFunction extends ProcessFunction<Measurement, Measurement> {
    private static final long serialVersionUID = 1L;

    private final int perSecond;
    private transient ProfileBudget budget;

    /**
     * @param perSecond most measurements a second and subtask; 0: none
     */
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
