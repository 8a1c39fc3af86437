package io.kipimo.operators.rating;

import io.kipimo.core.rating.course.Conductor;
import io.kipimo.core.rating.course.ConductorState;
import io.kipimo.core.rating.course.ConductorStep;
import io.kipimo.operators.types.CodecTypeInfo;
import io.kipimo.schemas.codec.Codecs;
import io.kipimo.schemas.rating.Experiment;
import io.kipimo.schemas.rating.ExperimentReport;
import io.kipimo.schemas.rating.ExperimentStep;
import io.kipimo.schemas.rating.Rating;
import io.kipimo.schemas.rating.RatingState;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.state.MapState;
import org.apache.flink.api.common.state.MapStateDescriptor;
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.streaming.api.functions.co.KeyedCoProcessFunction;
import org.apache.flink.util.Collector;
import org.apache.flink.util.OutputTag;

/**
 * Runs {@link Conductor}, keyed by rating: ratings and generators' reports in, ratings out,
 * commands in a side output. Reads its own ratings too: after a restart from an old checkpoint they
 * tell what was found since, and a rating that someone has cancelled is over.
 */
public final class RatingFunction
        extends KeyedCoProcessFunction<String, Rating, ExperimentReport, Rating> {
    private static final long serialVersionUID = 1L;

    /** Commands to load generators. */
    public static final OutputTag<Experiment> EXPERIMENTS =
            new OutputTag<>("experiments", CodecTypeInfo.of(Codecs.EXPERIMENT));

    private static final long TICK_MILLIS = 500;

    private final TargetHold hold;
    private transient ValueState<Rating> rating;
    private transient ValueState<Experiment> current;
    private transient MapState<String, ExperimentReport> reports;
    private transient ValueState<Long> heldUntilMillis;
    private transient long aliveSinceMillis;
    private transient RatingMetrics metrics;

    public RatingFunction(TargetHold hold) {
        this.hold = hold;
    }

    @Override
    public void open(OpenContext openContext) {
        rating =
                getRuntimeContext()
                        .getState(
                                new ValueStateDescriptor<>(
                                        "rating", CodecTypeInfo.of(Codecs.RATING)));
        current =
                getRuntimeContext()
                        .getState(
                                new ValueStateDescriptor<>(
                                        "experiment", CodecTypeInfo.of(Codecs.EXPERIMENT)));
        reports =
                getRuntimeContext()
                        .getMapState(
                                new MapStateDescriptor<>(
                                        "reports",
                                        Types.STRING,
                                        CodecTypeInfo.of(Codecs.EXPERIMENT_REPORT)));
        heldUntilMillis =
                getRuntimeContext()
                        .getState(new ValueStateDescriptor<>("held-until-millis", Long.class));
        aliveSinceMillis = 0;
        metrics = new RatingMetrics(getRuntimeContext().getMetricGroup());
    }

    @Override
    public void processElement1(Rating heard, Context ctx, Collector<Rating> out) throws Exception {
        long now = ctx.timerService().currentProcessingTime();
        Rating known = rating.value();
        if (known == null) {
            if (heard.state() == RatingState.REQUESTED) {
                renewHold(heard, now);
                ctx.timerService().registerProcessingTimeTimer(now + TICK_MILLIS);
                apply(Conductor.tick(ConductorState.of(heard), now, aliveSince(now)), ctx, out);
            }
        } else if (heard.state().isOver()) {
            Experiment last = current.value();
            if (last != null) {
                ctx.output(EXPERIMENTS, last.at(ExperimentStep.CANCEL, now));
            }
            end(known, now);
        } else if (heard.trials().size() > known.trials().size()) {
            apply(Conductor.tick(ConductorState.of(heard), now, aliveSince(now)), ctx, out);
        }
    }

    @Override
    public void processElement2(ExperimentReport report, Context ctx, Collector<Rating> out)
            throws Exception {
        if (rating.value() != null) {
            long now = ctx.timerService().currentProcessingTime();
            apply(Conductor.hear(state(), report, now, aliveSince(now)), ctx, out);
        }
    }

    @Override
    public void onTimer(long timestamp, OnTimerContext ctx, Collector<Rating> out)
            throws Exception {
        if (rating.value() == null) {
            return;
        }
        long now = ctx.timerService().currentProcessingTime();
        metrics.tick(rating.value().ratingId(), now);
        renewHold(rating.value(), now);
        ctx.timerService().registerProcessingTimeTimer(now + TICK_MILLIS);
        apply(Conductor.tick(state(), now, aliveSince(now)), ctx, out);
    }

    /** Of this attempt: nobody was silent while nobody listened. */
    private long aliveSince(long nowMillis) {
        if (aliveSinceMillis == 0) {
            aliveSinceMillis = nowMillis;
        }
        return aliveSinceMillis;
    }

    private ConductorState state() throws Exception {
        Map<String, ExperimentReport> known = new HashMap<>();
        for (Map.Entry<String, ExperimentReport> entry : reports.entries()) {
            known.put(entry.getKey(), entry.getValue());
        }
        return new ConductorState(rating.value(), Optional.ofNullable(current.value()), known);
    }

    private void apply(ConductorStep step, Context ctx, Collector<Rating> out) throws Exception {
        for (Experiment command : step.commands()) {
            ctx.output(EXPERIMENTS, command);
        }
        ConductorState next = step.next();
        boolean isOver = next.rating().state().isOver();
        if (isOver) {
            // Who hears the result may count on the service being free again.
            end(next.rating(), ctx.timerService().currentProcessingTime());
        }
        if (step.news().isPresent()) {
            out.collect(step.news().get());
        }
        if (isOver) {
            return;
        }
        if (step.news().isPresent()) {
            metrics.news(next.rating().ratingId(), ctx.timerService().currentProcessingTime());
        }
        rating.update(next.rating());
        current.update(next.current().orElse(null));
        reports.clear();
        for (Map.Entry<String, ExperimentReport> entry : next.reports().entrySet()) {
            reports.put(entry.getKey(), entry.getValue());
        }
    }

    private void renewHold(Rating of, long nowMillis) throws Exception {
        String service = of.request().service();
        Long until = heldUntilMillis.value();
        if (service.isEmpty()
                || (until != null && until - nowMillis > TargetHold.LEASE_MILLIS / 2)) {
            return;
        }
        long next = nowMillis + TargetHold.LEASE_MILLIS;
        hold.hold(service, of.ratingId(), next);
        heldUntilMillis.update(next);
    }

    private void end(Rating over, long nowMillis) throws Exception {
        metrics.over(over.ratingId(), nowMillis);
        rating.clear();
        current.clear();
        reports.clear();
        if (heldUntilMillis.value() != null) {
            hold.release(over.request().service(), over.ratingId());
            heldUntilMillis.clear();
        }
    }
}
