package io.kipimo.jobs.quality;

import io.kipimo.core.quality.join.BacklogSampling;
import io.kipimo.core.quality.join.QualitySettings;
import io.kipimo.core.quality.window.ClassPane;
import io.kipimo.jobs.Output;
import io.kipimo.jobs.flink.FlushOnDemand;
import io.kipimo.jobs.options.JoinOptions;
import io.kipimo.jobs.options.OptionSet;
import io.kipimo.kafka.KafkaSources;
import io.kipimo.kafka.SourceSettings;
import io.kipimo.kafka.TopicRecords;
import io.kipimo.operators.budget.ErrorBudgetFunction;
import io.kipimo.operators.completeness.CompletenessFunction;
import io.kipimo.operators.completeness.DegradedShareFunction;
import io.kipimo.operators.deadline.DeadlineFunction;
import io.kipimo.operators.policy.PolicyBook;
import io.kipimo.operators.quality.ExpiredBoundsOperator;
import io.kipimo.operators.quality.JoinSettings;
import io.kipimo.operators.quality.ObservationGate;
import io.kipimo.operators.quality.QualityWindowFunction;
import io.kipimo.operators.quality.QueryJoinOperator;
import io.kipimo.operators.quality.VariantWindowFunction;
import io.kipimo.operators.types.Format;
import io.kipimo.schemas.codec.Codecs;
import io.kipimo.schemas.completeness.CompletenessModel;
import io.kipimo.schemas.deadline.DeadlineCurve;
import io.kipimo.schemas.observation.Observation;
import io.kipimo.schemas.policy.Policy;
import io.kipimo.schemas.quality.Measurement;
import io.kipimo.sdk.internal.kafka.PolicyStore;
import io.kipimo.sdk.kafka.KafkaSettings;
import java.util.List;
import java.util.Map;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.StateBackendOptions;
import org.apache.flink.streaming.api.datastream.BroadcastConnectedStream;
import org.apache.flink.streaming.api.datastream.BroadcastStream;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.types.Either;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads answers and partial results, and writes measurements, windows, control batches and advice. The join is in the
 * task of the source, or behind a shuffle by partition.
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
            new OptionSet<>(NAME, JoinOptions::read, List.of(JoinOptions.all()));

    private static final String HEAP = "hashmap";

    private static final Logger LOG = LoggerFactory.getLogger(QualityJob.class);

    private QualityJob() {}

    /** Adds the job to {@code env}, with the current policies. */
    public static void define(StreamExecutionEnvironment env, OptionSet.Valid<JoinOptions.Join> options) {
        KafkaSettings kafka = options.common().kafka();
        define(
                env,
                options,
                PolicyStore.readAll(kafka),
                JoinPaths.of(env, options.common(), options.own().path()));
    }

    /**
     * Adds the job to {@code env}.
     *
     * @param known policies for the time before the stream of policies is read
     * @param feed the path of events to the join
     */
    static void define(
            StreamExecutionEnvironment env,
            OptionSet.Valid<JoinOptions.Join> options,
            Map<String, Policy> known,
            JoinPaths.Feed feed) {
        keepOnHeap(env);
        KafkaSettings kafka = options.common().kafka();
        SourceSettings source = options.common().source();
        JoinOptions.Advice advice = options.own().advice();
        KafkaSources in = new KafkaSources(env, kafka, source);
        Output output = new Output(options.common());

        SingleOutputStreamOperator<Policy> policyUpdates = in.policies(QualitySettings::of);
        BroadcastStream<Policy> policies = PolicyBook.broadcast(policyUpdates);
        SingleOutputStreamOperator<Observation> observations =
                ObservationGate.of(in.observations(), policyUpdates, known, kafka.topicPrefix());
        boolean samples = options.own().backlog().isOn() && !feed.isShuffled();
        if (options.own().backlog().isOn() && !samples) {
            LOG.warn("a backlog is measured in full: join.backlog-rate has no effect with join.path KEYED");
        }
        SingleOutputStreamOperator<Measurement> joined = QueryJoinOperator.join(
                in.joinInputs(feed.partitions(), feed.isShuffled(), samples),
                new JoinSettings(
                        known,
                        kafka.topicPrefix(),
                        advice.profilesPerSecond(),
                        options.own().backStop(),
                        samples ? options.own().backlog() : BacklogSampling.BacklogSettings.OFF),
                feed.partitions(),
                source.tolerance(),
                feed.isShuffled());
        output.strays(joined.getSideOutput(QueryJoinOperator.STRAYS_OUTPUT), feed.partitions());
        SingleOutputStreamOperator<Measurement> measurements =
                named(ExpiredBoundsOperator.UID, ExpiredBoundsOperator.of(joined, feed.partitions()));
        BroadcastConnectedStream<Either<ClassPane, Observation>, Policy> measured =
                QualityWindowFunction.inputs(measurements, observations).connect(policies);
        SingleOutputStreamOperator<CompletenessModel> models = named(
                "completeness",
                named(
                                "completeness-share",
                                measurements.process(
                                        new DegradedShareFunction(advice.profilesPerSecond()),
                                        Format.typeOf(Codecs.MEASUREMENT)))
                        .keyBy(Measurement::scope, Types.STRING)
                        .process(
                                new CompletenessFunction(
                                        advice.completenessEvery().toMillis()),
                                Format.typeOf(Codecs.COMPLETENESS_MODEL)));
        SingleOutputStreamOperator<DeadlineCurve> curves = named(
                "deadlines",
                DeadlineFunction.inputs(joined.getSideOutput(QueryJoinOperator.PROFILES_OUTPUT), observations)
                        .connect(policies)
                        .process(
                                new DeadlineFunction(
                                        known,
                                        advice.deadlinesWindow().toMillis(),
                                        advice.deadlinesEvery().toMillis()),
                                Format.typeOf(Codecs.DEADLINE_CURVE)));

        output.manyFacts(measurements, TopicRecords.QUALITY);
        // At least once: controllers read windows and cannot wait for a checkpoint.
        output.prompt(
                named(
                        "quality-windows",
                        measured.process(new QualityWindowFunction(known), Format.typeOf(Codecs.QUALITY_WINDOW))),
                TopicRecords.QUALITY_WINDOWS);
        output.prompt(
                named(
                        "variant-windows",
                        measured.process(new VariantWindowFunction(known), Format.typeOf(Codecs.QUALITY_WINDOW))),
                TopicRecords.VARIANT_WINDOWS);
        output.facts(
                named(
                        "error-budgets",
                        measured.process(
                                new ErrorBudgetFunction(known, advice.budget()), Format.typeOf(Codecs.ERROR_BUDGET))),
                TopicRecords.ERROR_BUDGETS);
        // Front ends predict by the newest model, and choose components by it.
        output.prompt(models, TopicRecords.COMPLETENESS);
        output.prompt(curves.getSideOutput(DeadlineFunction.FAN_OUT_OUTPUT), TopicRecords.FAN_OUT);
        output.facts(curves, TopicRecords.DEADLINES);
        output.facts(joined.getSideOutput(QueryJoinOperator.LATE_EVENTS_OUTPUT), TopicRecords.LATE_EVENTS);
        output.deadLetters(
                in,
                List.of(
                        joined.getSideOutput(QueryJoinOperator.DEAD_LETTERS_OUTPUT),
                        observations.getSideOutput(ObservationGate.DEAD_LETTERS)));
        FlushOnDemand.of(env);
    }

    /**
     * Keeps state on the heap, even if the cluster has another backend, because the join keeps objects. Makes
     * checkpoints aligned, so that they hold no events that are under way in a shuffle. A job without the shuffle could
     * not read such events.
     */
    private static void keepOnHeap(StreamExecutionEnvironment env) {
        String wanted = env.getConfiguration().get(StateBackendOptions.STATE_BACKEND);
        if (!wanted.equals(HEAP)) {
            LOG.warn(
                    "{} is {}, but the quality job keeps its state on the heap",
                    StateBackendOptions.STATE_BACKEND,
                    wanted);
        }
        env.configure(new Configuration()
                .set(StateBackendOptions.STATE_BACKEND, HEAP)
                .set(CheckpointingOptions.ENABLE_UNALIGNED, false));
    }

    private static <T> SingleOutputStreamOperator<T> named(String uid, SingleOutputStreamOperator<T> stream) {
        return stream.uid(uid).name(uid);
    }
}
