package io.kipimo.operators.rating;

import io.kipimo.core.guard.MoverTurn;
import io.kipimo.core.guard.Step;
import io.kipimo.core.guard.StepContext;
import io.kipimo.core.rating.LoadCoordinator;
import io.kipimo.core.rating.LoadCoordinatorState;
import io.kipimo.core.rating.RatingDecision;
import io.kipimo.operators.isolation.Isolation;
import io.kipimo.operators.types.Format;
import io.kipimo.schemas.codec.Codecs;
import io.kipimo.schemas.rating.Experiment;
import io.kipimo.schemas.rating.ExperimentReport;
import io.kipimo.schemas.rating.ExperimentStep;
import io.kipimo.schemas.rating.Rating;
import io.kipimo.schemas.rating.RatingBuilder;
import io.kipimo.schemas.rating.RatingRequest;
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
import org.apache.flink.metrics.Gauge;
import org.apache.flink.metrics.MetricGroup;
import org.apache.flink.streaming.api.functions.co.KeyedCoProcessFunction;
import org.apache.flink.util.Collector;
import org.apache.flink.util.OutputTag;
import org.apache.flink.util.function.RunnableWithException;

/**
 * Coordinates load generators for ratings ({@link LoadCoordinator}), keyed by rating. Its inputs are ratings and
 * reports of load generators. Its output is ratings; a side output has commands for load generators. It also reads its
 * own ratings, for two reasons. After a restart from an old checkpoint they contain the results since then, and users
 * cancel a rating by writing a record.
 */
public final class RatingFunction extends KeyedCoProcessFunction<String, Rating, ExperimentReport, Rating> {
    /** Side output of commands to load generators. */
    public static final OutputTag<Experiment> EXPERIMENTS =
            new OutputTag<>("experiments", Format.typeOf(Codecs.EXPERIMENT));

    private static final long TICK_MILLIS = 500;

    private static final LoadCoordinator COORDINATOR = new LoadCoordinator();

    private final TargetHold hold;
    private transient ValueState<Rating> rating;
    private transient ValueState<Experiment> current;
    private transient MapState<String, ExperimentReport> reports;
    private transient ValueState<Long> heldUntilMillis;
    private transient long aliveSinceMillis;
    private transient RatingMetrics metrics;
    private transient Isolation isolation;

    public RatingFunction(TargetHold hold) {
        this.hold = hold;
    }

    @Override
    public void open(OpenContext openContext) {
        isolation = new Isolation(getRuntimeContext().getMetricGroup());
        rating = getRuntimeContext().getState(new ValueStateDescriptor<>("rating", Format.typeOf(Codecs.RATING)));
        current = getRuntimeContext()
                .getState(new ValueStateDescriptor<>("experiment", Format.typeOf(Codecs.EXPERIMENT)));
        reports = getRuntimeContext()
                .getMapState(
                        new MapStateDescriptor<>("reports", Types.STRING, Format.typeOf(Codecs.EXPERIMENT_REPORT)));
        heldUntilMillis = getRuntimeContext().getState(new ValueStateDescriptor<>("held-until-millis", Long.class));
        aliveSinceMillis = 0;
        metrics = new RatingMetrics(getRuntimeContext().getMetricGroup());
    }

    @Override
    public void processElement1(Rating received, Context ctx, Collector<Rating> out) throws Exception {
        long now = ctx.timerService().currentProcessingTime();
        Rating known = rating.value();
        if (known == null) {
            if (received.state() == RatingState.REQUESTED) {
                renewHold(received, now);
                ctx.timerService().registerProcessingTimeTimer(now + TICK_MILLIS);
                heartbeat(LoadCoordinatorState.of(received, aliveSince(now)), now, ctx, out);
            }
        } else if (received.state().isOver()) {
            Experiment last = current.value();
            if (last != null) {
                ctx.output(EXPERIMENTS, last.at(ExperimentStep.CANCEL, now));
            }
            end(known, now);
        } else if (received.trials().size() > known.trials().size()) {
            heartbeat(LoadCoordinatorState.of(received, aliveSince(now)), now, ctx, out);
        }
    }

    @Override
    public void processElement2(ExperimentReport report, Context ctx, Collector<Rating> out) throws Exception {
        if (rating.value() != null) {
            long now = ctx.timerService().currentProcessingTime();
            LoadCoordinatorState before = state(now);
            advance(
                    before,
                    now,
                    () -> apply(COORDINATOR.step(before, report, context(before, now)), ctx, out),
                    ctx,
                    out);
        }
    }

    @Override
    public void onTimer(long timestamp, OnTimerContext ctx, Collector<Rating> out) throws Exception {
        if (rating.value() == null) {
            return;
        }
        long now = ctx.timerService().currentProcessingTime();
        metrics.tick(rating.value().ratingId(), now);
        renewHold(rating.value(), now);
        ctx.timerService().registerProcessingTimeTimer(now + TICK_MILLIS);
        heartbeat(state(now), now, ctx, out);
    }

    private void heartbeat(LoadCoordinatorState before, long nowMillis, Context ctx, Collector<Rating> out)
            throws Exception {
        advance(
                before,
                nowMillis,
                () -> apply(COORDINATOR.heartbeat(before, context(before, nowMillis)), ctx, out),
                ctx,
                out);
    }

    /**
     * Runs a step of a rating. Ends the rating if the step fails, since it would fail at every tick and keep its
     * service on hold.
     */
    private void advance(
            LoadCoordinatorState before, long nowMillis, RunnableWithException step, Context ctx, Collector<Rating> out)
            throws Exception {
        Rating of = before.rating();
        String service = of.request().service();
        if (isolation.run(service.isEmpty() ? of.ratingId() : service, step)) {
            return;
        }
        if (before.current().isPresent()) {
            ctx.output(EXPERIMENTS, before.current().get().at(ExperimentStep.CANCEL, nowMillis));
        }
        end(of, nowMillis);
        out.collect(RatingBuilder.builder(of)
                .state(RatingState.CANCELLED)
                .remark("a step of the rating failed; the log of its job has the cause")
                .updatedAtMillis(nowMillis)
                .build());
    }

    /**
     * Returns the context of a step. The actuation lock in it is always free, because {@link TargetHold} keeps other
     * controllers off the target.
     */
    private static StepContext<RatingRequest> context(LoadCoordinatorState before, long nowMillis) {
        return new StepContext<>(before.rating().request(), MoverTurn.FREE, 0, nowMillis);
    }

    /** Returns the start of this attempt, before which generators do not count as silent. */
    private long aliveSince(long nowMillis) {
        if (aliveSinceMillis == 0) {
            aliveSinceMillis = nowMillis;
        }
        return aliveSinceMillis;
    }

    private LoadCoordinatorState state(long nowMillis) throws Exception {
        Map<String, ExperimentReport> known = new HashMap<>();
        for (Map.Entry<String, ExperimentReport> entry : reports.entries()) {
            known.put(entry.getKey(), entry.getValue());
        }
        return new LoadCoordinatorState(
                rating.value(), Optional.ofNullable(current.value()), known, aliveSince(nowMillis));
    }

    private void apply(Step<LoadCoordinatorState, RatingDecision> step, Context ctx, Collector<Rating> out)
            throws Exception {
        long now = ctx.timerService().currentProcessingTime();
        LoadCoordinatorState next = step.next();
        boolean isOver = next.rating().state().isOver();
        for (RatingDecision decision : step.decisions()) {
            if (decision instanceof RatingDecision.Command command) {
                ctx.output(EXPERIMENTS, command.experiment());
            } else if (decision instanceof RatingDecision.Changed changed) {
                if (isOver) {
                    // End the hold first, so that the service is free again when readers get the
                    // result.
                    end(changed.rating(), now);
                } else {
                    metrics.news(changed.rating().ratingId(), now);
                }
                out.collect(changed.rating());
            }
        }
        if (isOver) {
            return;
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
        if (service.isEmpty() || (until != null && until - nowMillis > TargetHold.LEASE_MILLIS / 2)) {
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

    /**
     * Metrics of the rating job's operator, in group {@code kipimo}: {@code ratingsUnderWay}, the number of running
     * ratings; {@code ratingSilenceMillis}, the longest time since a running rating last changed, 0 without ratings.
     */
    static final class RatingMetrics {
        private final Map<String, Long> newsMillis = new HashMap<>();
        private volatile int underWay;
        private volatile long silenceMillis;

        RatingMetrics(MetricGroup operatorGroup) {
            MetricGroup group = operatorGroup.addGroup("kipimo");
            Gauge<Integer> ratings = () -> underWay;
            Gauge<Long> silence = () -> silenceMillis;
            group.gauge("ratingsUnderWay", ratings);
            group.gauge("ratingSilenceMillis", silence);
        }

        /** Updates the gauges after a heartbeat of a running rating. */
        void tick(String ratingId, long nowMillis) {
            newsMillis.putIfAbsent(ratingId, nowMillis);
            update(nowMillis);
        }

        void news(String ratingId, long nowMillis) {
            newsMillis.put(ratingId, nowMillis);
            update(nowMillis);
        }

        void over(String ratingId, long nowMillis) {
            newsMillis.remove(ratingId);
            update(nowMillis);
        }

        private void update(long nowMillis) {
            underWay = newsMillis.size();
            long oldest = newsMillis.values().stream()
                    .mapToLong(Long::longValue)
                    .min()
                    .orElse(nowMillis);
            silenceMillis = Math.max(0, nowMillis - oldest);
        }
    }
}
