package io.kipimo.operators.deadline;

import io.kipimo.core.quality.deadline.DeadlineCurves;
import io.kipimo.core.quality.deadline.DeadlinePane;
import io.kipimo.core.quality.deadline.DeadlineProgress;
import io.kipimo.core.quality.deadline.QueryProfile;
import io.kipimo.core.quality.fanout.model.ContributionLearner;
import io.kipimo.core.quality.fanout.model.ContributionLearning;
import io.kipimo.core.quality.fanout.model.FanOutPublisher;
import io.kipimo.core.quality.fanout.model.FanOutSample;
import io.kipimo.core.sampling.Exploration;
import io.kipimo.operators.policy.PolicyFunction;
import io.kipimo.operators.types.Format;
import io.kipimo.operators.types.StateFormats;
import io.kipimo.schemas.codec.Codecs;
import io.kipimo.schemas.deadline.DeadlineCurve;
import io.kipimo.schemas.deadline.DeadlineCurveBuilder;
import io.kipimo.schemas.deadline.FanOutCurve;
import io.kipimo.schemas.fanout.FanOutPublication;
import io.kipimo.schemas.fanout.FanOutState;
import io.kipimo.schemas.field.ServiceClass;
import io.kipimo.schemas.observation.Observation;
import io.kipimo.schemas.policy.FanOutPolicy;
import io.kipimo.schemas.policy.Policy;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.state.MapState;
import org.apache.flink.api.common.state.MapStateDescriptor;
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.api.common.typeinfo.PrimitiveArrayTypeInfo;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.MetricGroup;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.KeyedStream;
import org.apache.flink.types.Either;
import org.apache.flink.util.Collector;
import org.apache.flink.util.OutputTag;

/**
 * Runs {@link DeadlineCurves} over a sliding window, keyed by service/class. A profile belongs to the time at which it
 * was made, a count to its second. Inputs for closed panes count in the oldest open pane. Each pane is a state entry of
 * its own, so a profile reads and writes only one pane.
 *
 * <p>Some answers carry features of their query. From these the function learns, in one batch per slide, which
 * components contribute to which queries ({@link ContributionLearning}). It forgets this model with the last pane. If
 * the policy lets queries ask fewer components, a side output sends the model to front ends ({@link FanOutPublisher}).
 * While front ends choose components by the model, the function learns only from explored queries, which ask all
 * components. Other queries ask all of them only if the model says so, which would bias the model.
 *
 * <p>Counters, in group {@code kipimo}: {@code profiles}, read profiles; {@code curves}, emitted curves;
 * {@code fanOutPublications}, publications for front ends.
 */
public final class DeadlineFunction extends PolicyFunction<Either<QueryProfile, Observation>, DeadlineCurve> {
    /**
     * Greatest number of samples kept for a slide. A sample's place is its time in milliseconds modulo this number; a
     * later sample in the same place replaces it.
     */
    private static final long MOST_SAMPLES = 1_024;

    /** Side output for front ends: the models by which they choose components. */
    public static final OutputTag<FanOutPublication> FAN_OUT_OUTPUT =
            new OutputTag<>("fan-out", Format.typeOf(Codecs.FAN_OUT_PUBLICATION));

    private final long windowMillis;
    private final long slideMillis;
    private transient MapState<Long, DeadlinePane> panes;
    private transient ValueState<DeadlineProgress> progress;

    /** Samples of queries with features since the last slide, by place. */
    private transient MapState<Long, FanOutSample> samples;

    /** The {@link ContributionLearner}, read and written once a slide. */
    private transient ValueState<byte[]> contributions;

    /** The last publication for front ends, encoded. */
    private transient ValueState<byte[]> publication;

    /** Share of explored queries while front ends choose components by the model; null while they do not. */
    private transient ValueState<Double> exploration;

    private transient Counter profiles;
    private transient Counter curves;
    private transient Counter publications;

    /**
     * @param knownPolicies policies at the time of submission, by service
     * @param windowMillis a multiple of {@code slideMillis}
     * @throws IllegalArgumentException if {@code windowMillis} is no such multiple, or {@code slideMillis} is less than
     *     1
     */
    public DeadlineFunction(Map<String, Policy> knownPolicies, long windowMillis, long slideMillis) {
        super(knownPolicies);
        if (slideMillis < 1 || windowMillis < slideMillis || windowMillis % slideMillis != 0) {
            throw new IllegalArgumentException("window is %s ms; allowed: a multiple of the slide, which is %s ms"
                    .formatted(windowMillis, slideMillis));
        }
        this.windowMillis = windowMillis;
        this.slideMillis = slideMillis;
    }

    /** Merges profiles and counts into one stream, keyed by service/class. */
    public static KeyedStream<Either<QueryProfile, Observation>, String> inputs(
            DataStream<QueryProfile> profiles, DataStream<Observation> observations) {
        TypeInformation<Either<QueryProfile, Observation>> type =
                Types.EITHER(StateFormats.QUERY_PROFILE.typeInfo(), Format.typeOf(Codecs.OBSERVATION));
        DataStream<Either<QueryProfile, Observation>> left = profiles.map(
                        p -> Either.<QueryProfile, Observation>Left(p), type)
                .uid("deadline-profiles")
                .name("deadline-profiles");
        DataStream<Either<QueryProfile, Observation>> right = observations
                .map(o -> Either.<QueryProfile, Observation>Right(o), type)
                .uid("deadline-observations")
                .name("deadline-observations");
        return left.union(right).keyBy(DeadlineFunction::key, Types.STRING);
    }

    static String key(Either<QueryProfile, Observation> input) {
        return input.isLeft() ? input.left().scope() : input.right().scope();
    }

    static MapStateDescriptor<Long, DeadlinePane> panesDescriptor() {
        return new MapStateDescriptor<>("deadline-panes", Types.LONG, StateFormats.DEADLINE_PANE.typeInfo());
    }

    static ValueStateDescriptor<DeadlineProgress> progressDescriptor() {
        return new ValueStateDescriptor<>("deadline-progress", StateFormats.DEADLINE_PROGRESS.typeInfo());
    }

    @Override
    public void open(OpenContext openContext) {
        super.open(openContext);
        panes = getRuntimeContext().getMapState(panesDescriptor());
        progress = getRuntimeContext().getState(progressDescriptor());
        samples = getRuntimeContext()
                .getMapState(new MapStateDescriptor<>(
                        "fan-out-samples", Types.LONG, StateFormats.FAN_OUT_SAMPLE.typeInfo()));
        contributions = getRuntimeContext()
                .getState(new ValueStateDescriptor<>(
                        "fan-out-contributions", PrimitiveArrayTypeInfo.BYTE_PRIMITIVE_ARRAY_TYPE_INFO));
        publication = getRuntimeContext()
                .getState(new ValueStateDescriptor<>(
                        "fan-out-publication", PrimitiveArrayTypeInfo.BYTE_PRIMITIVE_ARRAY_TYPE_INFO));
        exploration = getRuntimeContext().getState(new ValueStateDescriptor<>("fan-out-exploration", Types.DOUBLE));
        MetricGroup group = getRuntimeContext().getMetricGroup().addGroup("kipimo");
        profiles = group.counter("profiles");
        curves = group.counter("curves");
        publications = group.counter("fanOutPublications");
    }

    @Override
    protected void add(
            Either<QueryProfile, Observation> input, Policy policy, ReadOnlyContext ctx, Collector<DeadlineCurve> out)
            throws Exception {
        if (input.isRight() && input.right().answered() == 0) {
            return;
        }
        DeadlineProgress known = progress.value();
        if (known == null) {
            known = new DeadlineProgress();
        }
        long start = startOfPane(
                input.isLeft() ? input.left().profiledAtMillis() : input.right().secondMillis(), known);
        DeadlinePane pane = panes.get(start);
        if (pane == null) {
            pane = new DeadlinePane();
        }
        if (input.isLeft()) {
            profiles.inc();
            pane.add(input.left(), known.contributions);
            Optional<FanOutSample> sample = FanOutSample.of(input.left());
            if (sample.isPresent() && teaches(input.left())) {
                samples.put(Math.floorMod(input.left().profiledAtMillis(), MOST_SAMPLES), sample.get());
            }
        } else {
            pane.add(input.right());
        }
        panes.put(start, pane);
        if (known.timerMillis == 0 || start + slideMillis < known.timerMillis) {
            known.timerMillis = start + slideMillis;
            ctx.timerService().registerEventTimeTimer(known.timerMillis);
        }
        progress.update(known);
    }

    /** Returns whether the model may learn from the query: it asked all components regardless of the model. */
    private boolean teaches(QueryProfile profile) throws Exception {
        Double share = exploration.value();
        return share == null || Exploration.isExplored(profile.explorationRandomness(), share);
    }

    private long startOfPane(long millis, DeadlineProgress known) {
        return Math.max(Math.floorDiv(millis, slideMillis) * slideMillis, known.closedUntilMillis);
    }

    @Override
    protected void close(long timestamp, Policy policy, OnTimerContext ctx, Collector<DeadlineCurve> out)
            throws Exception {
        DeadlineProgress known = progress.value();
        if (known == null || timestamp != known.timerMillis) {
            return;
        }
        known.closedUntilMillis = timestamp;
        List<DeadlinePane> within = new ArrayList<>();
        boolean isAnyLeft = false;
        for (var entries = panes.iterator(); entries.hasNext(); ) {
            Map.Entry<Long, DeadlinePane> pane = entries.next();
            if (pane.getKey() < timestamp - windowMillis) {
                entries.remove();
            } else {
                isAnyLeft = true;
                if (pane.getKey() < timestamp) {
                    within.add(pane.getValue());
                }
            }
        }
        if (!within.isEmpty()) {
            ServiceClass key = ServiceClass.of(ctx.getCurrentKey());
            curves.inc();
            DeadlineCurve curve = DeadlineCurves.curve(
                    key.service(),
                    key.queryClass(),
                    policy.metrics().get(0),
                    Math.max(1, timestamp - windowMillis),
                    timestamp,
                    policy.expirationWindowMillis(),
                    within);
            Optional<ContributionLearner> learner = learned(policy);
            out.collect(DeadlineCurveBuilder.builder(curve)
                    .fanOut(learner.map(ContributionLearner::curve).orElse(FanOutCurve.NONE))
                    .build());
            publish(learner, policy, curve.serviceClass(), timestamp, ctx);
        }
        if (isAnyLeft) {
            known.timerMillis = timestamp + slideMillis;
            ctx.timerService().registerEventTimeTimer(known.timerMillis);
            progress.update(known);
        } else {
            // Empty state must be cleared, or it would stay forever.
            forget();
        }
    }

    @Override
    protected void forget() {
        panes.clear();
        progress.clear();
        samples.clear();
        contributions.clear();
        // Its lease ends by itself.
        publication.clear();
        exploration.clear();
    }

    /** Learns from the queries since the last slide. Returns empty if no query has had features so far. */
    private Optional<ContributionLearner> learned(Policy policy) throws Exception {
        byte[] stored = contributions.value();
        Optional<ContributionLearner> known = stored == null ? Optional.empty() : ContributionLearner.ofBytes(stored);
        List<FanOutSample> batch = new ArrayList<>();
        samples.values().forEach(batch::add);
        samples.clear();
        if (batch.isEmpty()) {
            return known;
        }
        ContributionLearner learner = ContributionLearning.learn(
                known,
                policy.service(),
                batch,
                policy.fanOut().map(FanOutPolicy::costs).orElse(List.of()));
        contributions.update(learner.toBytes());
        return Optional.of(learner);
    }

    private void publish(
            Optional<ContributionLearner> learner,
            Policy policy,
            ServiceClass scope,
            long timestamp,
            OnTimerContext ctx)
            throws Exception {
        byte[] last = publication.value();
        if (last == null && policy.fanOut().isEmpty()) {
            return;
        }
        Optional<FanOutPublication> inForce =
                last == null ? Optional.empty() : Optional.of(Codecs.FAN_OUT_PUBLICATION.decode(last));
        Optional<FanOutPublication> next =
                FanOutPublisher.next(inForce, learner, policy, scope, slideMillis, timestamp);
        if (next.isEmpty()) {
            return;
        }
        publications.inc();
        ctx.output(FAN_OUT_OUTPUT, next.get());
        publication.update(Codecs.FAN_OUT_PUBLICATION.encode(next.get()));
        exploration.update(next.get().state() == FanOutState.ON ? next.get().exploration() : null);
    }
}
