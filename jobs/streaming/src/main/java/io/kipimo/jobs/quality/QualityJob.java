package io.kipimo.jobs.quality;

import io.kipimo.jobs.JobMain;
import io.kipimo.jobs.Output;
import io.kipimo.kafka.KafkaSources;
import io.kipimo.kafka.SourceSettings;
import io.kipimo.operators.policy.PolicyBook;
import io.kipimo.operators.quality.EventTimeOnly;
import io.kipimo.operators.quality.ExpiredBoundsFunction;
import io.kipimo.operators.quality.QualityWindowFunction;
import io.kipimo.operators.quality.QueryJoinFunction;
import io.kipimo.operators.types.CodecTypeInfo;
import io.kipimo.schemas.codec.Codecs;
import io.kipimo.schemas.codec.SampledEvent;
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
import org.apache.flink.streaming.api.datastream.BroadcastStream;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

/**
 * Answers and partial results in; measurements, windows and control batches out.
 *
 * <pre>
 * answers ──┐
 * partials ─┴─> join (service/query) ─> low ends ─┬─> quality
 *      policies ──┘        └─> late events        └─> sums ─┬─> windows (service/class) ─> quality-windows
 * observations ─────────────────────────────────────────────┘
 * </pre>
 */
public final class QualityJob {
    public static final String NAME = "quality";

    private QualityJob() {}

    public static void main(String[] args) {
        JobMain.run(args, NAME, QualityOptions.SET, QualityOptions::of, QualityJob::define);
    }

    /** Adds the job to {@code env}, with the policies that are there now. */
    public static void define(StreamExecutionEnvironment env, QualityOptions options) {
        define(env, options, PolicyStore.readAll(options.common().kafka()));
    }

    /**
     * Adds the job to {@code env}.
     *
     * @param known policies that events are judged by before the stream of policies is read
     */
    static void define(
            StreamExecutionEnvironment env, QualityOptions options, Map<String, Policy> known) {
        KafkaSettings kafka = options.common().kafka();
        SourceSettings source = options.common().source();

        SingleOutputStreamOperator<Policy> policyUpdates =
                KafkaSources.policies(env, kafka, source);
        BroadcastStream<Policy> policies = PolicyBook.broadcast(policyUpdates);
        SingleOutputStreamOperator<Observation> observations =
                KafkaSources.stream(
                        env,
                        kafka,
                        Topic.OBSERVATIONS,
                        Codecs.OBSERVATION,
                        Observation::endMillis,
                        source,
                        "observations");
        SingleOutputStreamOperator<SampledEvent> events =
                KafkaSources.queryEvents(env, kafka, source);

        SingleOutputStreamOperator<Measurement> joined =
                QueryJoinFunction.byQuery(events.union(EventTimeOnly.of(observations)))
                        .connect(policies)
                        .process(
                                new QueryJoinFunction(known, kafka.topicPrefix()),
                                CodecTypeInfo.of(Codecs.MEASUREMENT))
                        .uid("query-join")
                        .name("query-join");
        SingleOutputStreamOperator<Measurement> measurements =
                joined.process(new ExpiredBoundsFunction(), CodecTypeInfo.of(Codecs.MEASUREMENT))
                        .uid("expired-bounds")
                        .name("expired-bounds");
        SingleOutputStreamOperator<QualityWindow> windows =
                QualityWindowFunction.inputs(measurements, observations)
                        .connect(policies)
                        .process(
                                new QualityWindowFunction(known),
                                CodecTypeInfo.of(Codecs.QUALITY_WINDOW))
                        .uid("quality-windows")
                        .name("quality-windows");

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
                joined.getSideOutput(QueryJoinFunction.LATE_EVENTS_OUTPUT),
                Topic.LATE_EVENTS,
                Codecs.QUERY_EVENT,
                QueryEvent::queryId,
                QueryEvent::eventTimeMillis);
        output.deadLetters(
                List.of(events, observations, policyUpdates),
                List.of(joined.getSideOutput(QueryJoinFunction.DEAD_LETTERS_OUTPUT)));
    }
}
