package io.kipimo.jobs.quality;

import io.kipimo.core.quality.join.QualitySettings;
import io.kipimo.core.quality.window.ClassPane;
import io.kipimo.jobs.JobEnvironment;
import io.kipimo.jobs.Output;
import io.kipimo.jobs.options.AdviceOptions;
import io.kipimo.jobs.options.JoinOptions;
import io.kipimo.jobs.options.OptionSet;
import io.kipimo.kafka.KafkaSources;
import io.kipimo.kafka.RecordKey;
import io.kipimo.kafka.SourceSettings;
import io.kipimo.operators.budget.ErrorBudgetFunction;
import io.kipimo.operators.completeness.CompletenessFunction;
import io.kipimo.operators.completeness.DegradedShareFunction;
import io.kipimo.operators.deadline.DeadlineFunction;
import io.kipimo.operators.policy.PolicyBook;
import io.kipimo.operators.quality.EventTimeOnly;
import io.kipimo.operators.quality.ExpiredBoundsFunction;
import io.kipimo.operators.quality.JoinSettings;
import io.kipimo.operators.quality.LocalQueryJoinOperator;
import io.kipimo.operators.quality.LogPartitions;
import io.kipimo.operators.quality.LoggedObservation;
import io.kipimo.operators.quality.ObservationGate;
import io.kipimo.operators.quality.QualityWindowFunction;
import io.kipimo.operators.quality.QueryJoinOperator;
import io.kipimo.operators.quality.VariantWindowFunction;
import io.kipimo.operators.types.Format;
import io.kipimo.schemas.budget.ErrorBudget;
import io.kipimo.schemas.codec.Codecs;
import io.kipimo.schemas.codec.LoggedEvent;
import io.kipimo.schemas.completeness.CompletenessModel;
import io.kipimo.schemas.deadline.DeadlineCurve;
import io.kipimo.schemas.fanout.FanOutPublication;
import io.kipimo.schemas.observation.Observation;
import io.kipimo.schemas.policy.Policy;
import io.kipimo.schemas.quality.Measurement;
import io.kipimo.schemas.quality.QualityWindow;
import io.kipimo.schemas.quality.QueryEvent;
import io.kipimo.schemas.topics.Topic;
import io.kipimo.sdk.internal.kafka.PolicyStore;
import io.kipimo.sdk.kafka.KafkaSettings;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.streaming.api.datastream.BroadcastStream;
import org.apache.flink.streaming.api.datastream.KeyedStream;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.types.Either;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Answers and partial results in; measurements, windows, control batches and advice out. The join is either keyed by
 * query, or in the task of the source ({@link LocalQueryJoinOperator}).
 *
 * <pre>
 * answers ──┐
 * partials ─┴─> join (service/query) ─> low ends ─┬─> quality
 *      policies ──┘    │   └─> late events          ├─> sums ─┬─> windows (service/class) ─> quality-windows
 *                      │                            │         ├─> budgets (service/class) ─> error-budgets
 * observations ────────┼────────────────────────────┼─────────┤
 *       │              │                            │         └─> windows of variants (service/class) ─> variant-windows
 *       │              │                            └─> learning (service/class) ─> completeness
 *       └──────────────┴─> profiles (service/class) ─┬─> deadlines
 *                                                    └─> fan-out
 * </pre>
 */
public final class QualityJob {
    public static final String NAME = "quality";

    public static final OptionSet<JoinOptions.Join> OPTIONS =
            new OptionSet<>(NAME, JoinOptions::read, List.of(JoinOptions.all(), AdviceOptions.all()));

    private static final Logger LOG = LoggerFactory.getLogger(QualityJob.class);

    private QualityJob() {}

    /** Adds the job to {@code env}, with the current policies. */
    public static void define(StreamExecutionEnvironment env, OptionSet.Valid<JoinOptions.Join> options) {
        KafkaSettings kafka = options.common().kafka();
        define(
                env,
                options,
                PolicyStore.readAll(kafka),
                JoinPaths.of(env, options.common(), options.own().path()).partitions());
    }

    /**
     * Adds the job to {@code env}.
     *
     * @param known policies for the time before the stream of policies is read
     * @param partitions for a join in the source's task; empty: events are shuffled by query
     */
    static void define(
            StreamExecutionEnvironment env,
            OptionSet.Valid<JoinOptions.Join> options,
            Map<String, Policy> known,
            Optional<LogPartitions> partitions) {
        KafkaSettings kafka = options.common().kafka();
        SourceSettings source = options.common().source();

        SingleOutputStreamOperator<Policy> policyUpdates =
                KafkaSources.policies(env, kafka, source, QualitySettings::of);
        BroadcastStream<Policy> policies = PolicyBook.broadcast(policyUpdates);
        SingleOutputStreamOperator<LoggedObservation> seen = KafkaSources.observations(env, kafka, source);
        SingleOutputStreamOperator<Observation> observations =
                ObservationGate.of(seen, policyUpdates, known, kafka.topicPrefix());
        Output output = new Output(options.common());
        List<SingleOutputStreamOperator<?>> sources = new ArrayList<>(List.of(seen, policyUpdates));
        JoinSettings join = new JoinSettings(
                known,
                kafka.topicPrefix(),
                options.own().advice().profilesPerSecond(),
                options.own().backStop(),
                options.own().backlog());
        SingleOutputStreamOperator<Measurement> joined;
        if (partitions.isPresent()) {
            joined = LocalQueryJoinOperator.join(
                    KafkaSources.joinInputs(
                            env,
                            kafka,
                            source,
                            partitions.get(),
                            options.own().backlog().isOn()),
                    join,
                    partitions.get(),
                    source.tolerance());
            output.strays(joined.getSideOutput(LocalQueryJoinOperator.STRAYS_OUTPUT), partitions.get());
        } else {
            if (options.own().backlog().isOn()) {
                LOG.warn("a backlog is measured in full: join.backlog-rate has no effect with join.path KEYED");
            }
            SingleOutputStreamOperator<LoggedEvent> events = KafkaSources.queryEvents(env, kafka, source);
            sources.add(events);
            joined = QueryJoinOperator.join(events.union(EventTimeOnly.of(observations)), policyUpdates, join);
        }
        SingleOutputStreamOperator<Measurement> measurements = joined.process(
                        new ExpiredBoundsFunction(), Format.typeOf(Codecs.MEASUREMENT))
                .uid(ExpiredBoundsFunction.UID)
                .name(ExpiredBoundsFunction.UID);
        KeyedStream<Either<ClassPane, Observation>, String> measured =
                QualityWindowFunction.inputs(measurements, observations);
        Results results = new Results(
                joined,
                measurements,
                windows(measured, policies, known),
                variantWindows(measured, policies, known),
                budgets(measured, policies, known, options.own().advice()),
                models(measurements, options.own().advice()),
                curves(joined, observations, policies, known, options.own().advice()));

        results.writeTo(output);
        output.deadLetters(
                sources,
                List.of(
                        joined.getSideOutput(QueryJoinOperator.DEAD_LETTERS_OUTPUT),
                        observations.getSideOutput(ObservationGate.DEAD_LETTERS)));
        JobEnvironment.flushOnDemand(env);
    }

    private static SingleOutputStreamOperator<QualityWindow> windows(
            KeyedStream<Either<ClassPane, Observation>, String> measured,
            BroadcastStream<Policy> policies,
            Map<String, Policy> known) {
        return measured.connect(policies)
                .process(new QualityWindowFunction(known), Format.typeOf(Codecs.QUALITY_WINDOW))
                .uid("quality-windows")
                .name("quality-windows");
    }

    private static SingleOutputStreamOperator<QualityWindow> variantWindows(
            KeyedStream<Either<ClassPane, Observation>, String> measured,
            BroadcastStream<Policy> policies,
            Map<String, Policy> known) {
        return measured.connect(policies)
                .process(new VariantWindowFunction(known), Format.typeOf(Codecs.QUALITY_WINDOW))
                .uid("variant-windows")
                .name("variant-windows");
    }

    private static SingleOutputStreamOperator<ErrorBudget> budgets(
            KeyedStream<Either<ClassPane, Observation>, String> measured,
            BroadcastStream<Policy> policies,
            Map<String, Policy> known,
            AdviceOptions.Advice advice) {
        return measured.connect(policies)
                .process(new ErrorBudgetFunction(known, advice.budget()), Format.typeOf(Codecs.ERROR_BUDGET))
                .uid("error-budgets")
                .name("error-budgets");
    }

    private static SingleOutputStreamOperator<CompletenessModel> models(
            SingleOutputStreamOperator<Measurement> measurements, AdviceOptions.Advice advice) {
        return measurements
                .process(new DegradedShareFunction(advice.profilesPerSecond()), Format.typeOf(Codecs.MEASUREMENT))
                .uid("completeness-share")
                .name("completeness-share")
                .keyBy(Measurement::scope, Types.STRING)
                .process(
                        new CompletenessFunction(advice.completenessEvery().toMillis()),
                        Format.typeOf(Codecs.COMPLETENESS_MODEL))
                .uid("completeness")
                .name("completeness");
    }

    private static SingleOutputStreamOperator<DeadlineCurve> curves(
            SingleOutputStreamOperator<Measurement> joined,
            SingleOutputStreamOperator<Observation> observations,
            BroadcastStream<Policy> policies,
            Map<String, Policy> known,
            AdviceOptions.Advice advice) {
        return DeadlineFunction.inputs(joined.getSideOutput(QueryJoinOperator.PROFILES_OUTPUT), observations)
                .connect(policies)
                .process(
                        new DeadlineFunction(
                                known,
                                advice.deadlinesWindow().toMillis(),
                                advice.deadlinesEvery().toMillis()),
                        Format.typeOf(Codecs.DEADLINE_CURVE))
                .uid("deadlines")
                .name("deadlines");
    }

    /** Streams that the job writes to topics. */
    private record Results(
            SingleOutputStreamOperator<Measurement> joined,
            SingleOutputStreamOperator<Measurement> measurements,
            SingleOutputStreamOperator<QualityWindow> windows,
            SingleOutputStreamOperator<QualityWindow> variantWindows,
            SingleOutputStreamOperator<ErrorBudget> budgets,
            SingleOutputStreamOperator<CompletenessModel> models,
            SingleOutputStreamOperator<DeadlineCurve> curves) {

        void writeTo(Output output) {
            output.manyFacts(
                    measurements,
                    Topic.QUALITY,
                    Codecs.MEASUREMENT,
                    Measurement::queryId,
                    Measurement::measuredAtMillis);
            // At least once: controllers read windows and cannot wait for a checkpoint.
            output.prompt(
                    windows, Topic.QUALITY_WINDOWS, Codecs.QUALITY_WINDOW, RecordKey.scope(), QualityWindow::endMillis);
            output.prompt(
                    variantWindows,
                    Topic.VARIANT_WINDOWS,
                    Codecs.QUALITY_WINDOW,
                    window -> window.scope() + '/' + window.variant(),
                    QualityWindow::endMillis);
            output.facts(budgets, Topic.ERROR_BUDGETS, Codecs.ERROR_BUDGET, RecordKey.scope(), ErrorBudget::endMillis);
            // Front ends predict by the newest model.
            output.prompt(
                    models,
                    Topic.COMPLETENESS,
                    Codecs.COMPLETENESS_MODEL,
                    RecordKey.scope(),
                    CompletenessModel::asOfMillis);
            output.facts(curves, Topic.DEADLINES, Codecs.DEADLINE_CURVE, RecordKey.scope(), DeadlineCurve::endMillis);
            // Front ends choose components by the newest model.
            output.prompt(
                    curves.getSideOutput(DeadlineFunction.FAN_OUT_OUTPUT),
                    Topic.FAN_OUT,
                    Codecs.FAN_OUT_PUBLICATION,
                    RecordKey.scope(),
                    FanOutPublication::learnedAtMillis);
            output.facts(
                    joined.getSideOutput(QueryJoinOperator.LATE_EVENTS_OUTPUT),
                    Topic.LATE_EVENTS,
                    Codecs.QUERY_EVENT,
                    QueryEvent::queryId,
                    QueryEvent::eventTimeMillis);
        }
    }
}
