package io.kipimo.operators.completeness;

import io.kipimo.core.quality.merge.CompletenessLearning;
import io.kipimo.core.quality.merge.CompletenessState;
import io.kipimo.operators.isolation.Isolation;
import io.kipimo.operators.types.StateFormats;
import io.kipimo.schemas.completeness.CompletenessModel;
import io.kipimo.schemas.field.ServiceClass;
import io.kipimo.schemas.quality.Measurement;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.metrics.Counter;
import org.apache.flink.streaming.api.functions.KeyedProcessFunction;
import org.apache.flink.util.Collector;

/**
 * Runs {@link CompletenessLearning}, keyed by service/class ({@link Measurement#scope()}): learns the model of each
 * class, publishes a changed model at most once per interval of event time, and forgets a class after
 * {@link #EXPIRY_MILLIS} without measurements.
 *
 * <p>Metrics, in group {@code kipimo}: {@code learnedQueries}, the number of measurements that changed a model, and
 * {@code models}, the number of published models.
 */
public final class CompletenessFunction extends KeyedProcessFunction<String, Measurement, CompletenessModel> {
    /** Event time after which a class without measurements is forgotten: one day. */
    public static final long EXPIRY_MILLIS = 86_400_000;

    private final long everyMillis;
    private transient ValueState<CompletenessState> learned;

    /** Pending timer for publishing, epoch milliseconds of event time. At most one of the two timers is set. */
    private transient ValueState<Long> publishAt;

    /** Pending timer for forgetting the class, epoch milliseconds of event time. */
    private transient ValueState<Long> forgetAt;

    private transient Counter learnedQueries;
    private transient Counter models;
    private transient Isolation isolation;

    /**
     * @param everyMillis least event time between two models of a class, milliseconds
     * @throws IllegalArgumentException if {@code everyMillis} is less than 1
     */
    public CompletenessFunction(long everyMillis) {
        if (everyMillis < 1) {
            throw new IllegalArgumentException("interval of models is " + everyMillis + " ms; allowed: at least 1");
        }
        this.everyMillis = everyMillis;
    }

    static ValueStateDescriptor<CompletenessState> stateDescriptor() {
        return new ValueStateDescriptor<>("completeness", StateFormats.COMPLETENESS.typeInfo());
    }

    @Override
    public void open(OpenContext openContext) {
        isolation = new Isolation(getRuntimeContext().getMetricGroup());
        learned = getRuntimeContext().getState(stateDescriptor());
        publishAt = getRuntimeContext().getState(new ValueStateDescriptor<>("completeness-publish", Types.LONG));
        forgetAt = getRuntimeContext().getState(new ValueStateDescriptor<>("completeness-forget", Types.LONG));
        var group = getRuntimeContext().getMetricGroup().addGroup("kipimo");
        learnedQueries = group.counter("learnedQueries");
        models = group.counter("models");
    }

    @Override
    public void processElement(Measurement measurement, Context ctx, Collector<CompletenessModel> out)
            throws Exception {
        isolation.run(ctx.getCurrentKey(), () -> learn(measurement, ctx, out));
    }

    private void learn(Measurement measurement, Context ctx, Collector<CompletenessModel> out) throws Exception {
        CompletenessState state = learned.value();
        if (state == null) {
            state = new CompletenessState();
        }
        if (!CompletenessLearning.learn(state, measurement)) {
            return;
        }
        learnedQueries.inc();
        learned.update(state);
        if (publishAt.value() == null) {
            // On a grid, so that the timers of all classes have the same times.
            long next = (Math.floorDiv(
                                    Math.max(
                                            measurement.measuredAtMillis(),
                                            ctx.timerService().currentWatermark()),
                                    everyMillis)
                            + 1)
                    * everyMillis;
            if (forgetAt.value() != null) {
                ctx.timerService().deleteEventTimeTimer(forgetAt.value());
                forgetAt.clear();
            }
            publishAt.update(next);
            ctx.timerService().registerEventTimeTimer(next);
        }
    }

    @Override
    public void onTimer(long timestamp, OnTimerContext ctx, Collector<CompletenessModel> out) throws Exception {
        if (!isolation.run(ctx.getCurrentKey(), () -> publishOrForget(timestamp, ctx, out))) {
            learned.clear();
            publishAt.clear();
            forgetAt.clear();
        }
    }

    private void publishOrForget(long timestamp, OnTimerContext ctx, Collector<CompletenessModel> out)
            throws Exception {
        CompletenessState state = learned.value();
        if (publishAt.value() != null) {
            ServiceClass key = ServiceClass.of(ctx.getCurrentKey());
            models.inc();
            out.collect(CompletenessLearning.model(state, key.service(), key.queryClass()));
            publishAt.clear();
            forgetAt.update(timestamp + EXPIRY_MILLIS);
            ctx.timerService().registerEventTimeTimer(timestamp + EXPIRY_MILLIS);
        } else {
            learned.clear();
            forgetAt.clear();
        }
    }
}
