package io.kipimo.jobs.quality;

import io.kipimo.core.quality.window.ClassPane;
import io.kipimo.jobs.JobEnvironment;
import io.kipimo.jobs.Output;
import io.kipimo.kafka.KafkaSources;
import io.kipimo.kafka.SourceSettings;
import io.kipimo.operators.budget.ErrorBudgetFunction;
import io.kipimo.operators.completeness.CompletenessFunction;
import io.kipimo.operators.completeness.DegradedShareFunction;
import io.kipimo.operators.deadline.DeadlineFunction;
import io.kipimo.operators.policy.PolicyBook;
import io.kipimo.operators.quality.EventTimeOnly;
import io.kipimo.operators.quality.ExpiredBoundsFunction;
import io.kipimo.operators.quality.LoggedObservation;
import io.kipimo.operators.quality.ObservationGate;
import io.kipimo.operators.quality.QualityWindowFunction;
import io.kipimo.operators.quality.QueryJoinOperator;
import io.kipimo.operators.types.CodecTypeInfo;
import io.kipimo.schemas.budget.ErrorBudget;
import io.kipimo.schemas.codec.Codecs;
import io.kipimo.schemas.codec.LoggedEvent;
import io.kipimo.schemas.completeness.CompletenessModel;
import io.kipimo.schemas.deadline.DeadlineCurve;
import io.kipimo.schemas.observation.Observation;
import io.kipimo.schemas.policy.Policy;
import io.kipimo.schemas.quality.Measurement;
import io.kipimo.schemas.quality.QualityWindow;
import io.kipimo.schemas.quality.QueryEvent;
import io.kipimo.schemas.topics.Topic;
import io.kipimo.sdk.kafka.KafkaSettings;
import io.kipimo.sdk.kafka.PolicyStore;
import java.util.List;
import java.util.Map;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.streaming.api.datastream.BroadcastStream;
import org.apache.flink.streaming.api.datastream.KeyedStream;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.types.Either;

/**
 * Answers and partial results in; measurements, windows, control batches and advice out.
 *
 * <pre>
 * answers ──┐
 * partials ─┴─> join (service/query) ─> low ends ─┬─> quality
 *      policies ──┘    │   └─> late events          ├─> sums ─┬─> windows (service/class) ─> quality-windows
 *                      │                            │         ├─> budgets (service/class) ─> error-budgets
 * observations ────────┼────────────────────────────┼─────────┘
 *       │              │                            └─> learning (service/class) ─> completeness
 *       └──────────────┴─> profiles (service/class) ─> deadlines
 * </pre>
 */
public final class QualityJob {
    public static final String NAME = "quality";

    private QualityJob() {}

    /** Adds the job to {@code env}, with the policies that exist now. */
    public static void define(StreamExecutionEnvironment env, QualityOptions options) {
        define(env, options, PolicyStore.readAll(options.common().kafka()));
    }

    /**
     * Adds the job to {@code env}.
     *
     * @param known policies for events that arrive before the stream of policies is read
     */
    static void define(
            StreamExecutionEnvironment env, QualityOptions options, Map<String, Policy> known) {
        KafkaSettings kafka = options.common().kafka();
        SourceSettings source = options.common().source();

        SingleOutputStreamOperator<Policy> policyUpdates =
                KafkaSources.policies(env, kafka, source);
        BroadcastStream<Policy> policies = PolicyBook.broadcast(policyUpdates);
        SingleOutputStreamOperator<LoggedObservation> seen =
                KafkaSources.observations(env, kafka, source);
        SingleOutputStreamOperator<Observation> observations =
                ObservationGate.of(seen, policyUpdates, known, kafka.topicPrefix());
        SingleOutputStreamOperator<LoggedEvent> events =
                KafkaSources.queryEvents(env, kafka, source);

        SingleOutputStreamOperator<Measurement> joined =
                QueryJoinOperator.join(
                        events.union(EventTimeOnly.of(observations)),
                        policyUpdates,
                        known,
                        kafka.topicPrefix(),
                        options.advice().profilesPerSecond(),
                        options.backStop());
        SingleOutputStreamOperator<Measurement> measurements =
                joined.process(new ExpiredBoundsFunction(), CodecTypeInfo.of(Codecs.MEASUREMENT))
                        .uid("expired-bounds")
                        .name("expired-bounds");
        KeyedStream<Either<ClassPane, Observation>, String> measured =
                QualityWindowFunction.inputs(measurements, observations);
        SingleOutputStreamOperator<QualityWindow> windows =
                measured.connect(policies)
                        .process(
                                new QualityWindowFunction(known),
                                CodecTypeInfo.of(Codecs.QUALITY_WINDOW))
                        .uid("quality-windows")
                        .name("quality-windows");

        SingleOutputStreamOperator<ErrorBudget> budgets =
                measured.connect(policies)
                        .process(
                                new ErrorBudgetFunction(known, options.advice().budget()),
                                CodecTypeInfo.of(Codecs.ERROR_BUDGET))
                        .uid("error-budgets")
                        .name("error-budgets");
        SingleOutputStreamOperator<CompletenessModel> models =
                measurements
                        .process(
                                new DegradedShareFunction(options.advice().profilesPerSecond()),
                                CodecTypeInfo.of(Codecs.MEASUREMENT))
                        .uid("completeness-share")
                        .name("completeness-share")
                        .keyBy(CompletenessFunction::key, Types.STRING)
                        .process(
                                new CompletenessFunction(
                                        options.advice().completenessEvery().toMillis()),
                                CodecTypeInfo.of(Codecs.COMPLETENESS_MODEL))
                        .uid("completeness")
                        .name("completeness");
        SingleOutputStreamOperator<DeadlineCurve> curves =
                DeadlineFunction.inputs(
                                joined.getSideOutput(QueryJoinOperator.PROFILES_OUTPUT),
                                observations)
                        .connect(policies)
                        .process(
                                new DeadlineFunction(
                                        known,
                                        options.advice().deadlinesWindow().toMillis(),
                                        options.advice().deadlinesEvery().toMillis()),
                                CodecTypeInfo.of(Codecs.DEADLINE_CURVE))
                        .uid("deadlines")
                        .name("deadlines");

        Output output = new Output(options.common());
        output.facts(
                measurements,
                Topic.QUALITY,
                Codecs.MEASUREMENT,
                Measurement::queryId,
                Measurement::measuredAtMillis);
        // Windows feed the controllers, which cannot wait for a checkpoint.
        output.prompt(
                windows,
                Topic.QUALITY_WINDOWS,
                Codecs.QUALITY_WINDOW,
                w -> w.service() + '/' + w.queryClass(),
                QualityWindow::endMillis);
        output.facts(
                budgets,
                Topic.ERROR_BUDGETS,
                Codecs.ERROR_BUDGET,
                b -> b.service() + '/' + b.queryClass(),
                ErrorBudget::endMillis);
        // Front ends predict with the newest model.
        output.prompt(
                models,
                Topic.COMPLETENESS,
                Codecs.COMPLETENESS_MODEL,
                m -> m.service() + '/' + m.queryClass(),
                CompletenessModel::asOfMillis);
        output.facts(
                curves,
                Topic.DEADLINES,
                Codecs.DEADLINE_CURVE,
                c -> c.service() + '/' + c.queryClass(),
                DeadlineCurve::endMillis);
        output.facts(
                joined.getSideOutput(QueryJoinOperator.LATE_EVENTS_OUTPUT),
                Topic.LATE_EVENTS,
                Codecs.QUERY_EVENT,
                QueryEvent::queryId,
                QueryEvent::eventTimeMillis);
        output.deadLetters(
                List.of(events, seen, policyUpdates),
                List.of(
                        joined.getSideOutput(QueryJoinOperator.DEAD_LETTERS_OUTPUT),
                        observations.getSideOutput(ObservationGate.DEAD_LETTERS)));
        JobEnvironment.flushOnDemand(env);
    }
}
