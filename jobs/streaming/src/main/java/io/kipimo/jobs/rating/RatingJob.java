package io.kipimo.jobs.rating;

import io.kipimo.jobs.Output;
import io.kipimo.kafka.KafkaSources;
import io.kipimo.kafka.KafkaTargetHold;
import io.kipimo.kafka.SourceSettings;
import io.kipimo.operators.rating.RatingFunction;
import io.kipimo.operators.types.CodecTypeInfo;
import io.kipimo.schemas.codec.Codecs;
import io.kipimo.schemas.rating.Experiment;
import io.kipimo.schemas.rating.ExperimentReport;
import io.kipimo.schemas.rating.Rating;
import io.kipimo.schemas.topics.Topic;
import io.kipimo.sdk.kafka.KafkaSettings;
import java.util.List;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

/**
 * Requests for ratings and reports of load generators in; commands to them and ratings out.
 *
 * <pre>
 * ratings ─────────────┬─> rating (rating id) ──> ratings
 * experiment-results ──┘                     └──> experiments
 * </pre>
 */
public final class RatingJob {
    public static final String NAME = "rating";

    private RatingJob() {}

    /** Adds the job to {@code env}. */
    public static void define(StreamExecutionEnvironment env, RatingOptions options) {
        KafkaSettings kafka = options.common().kafka();
        SourceSettings source = options.common().source();
        SingleOutputStreamOperator<Rating> requests =
                KafkaSources.stream(
                        env,
                        kafka,
                        Topic.RATINGS,
                        Codecs.RATING,
                        Rating::updatedAtMillis,
                        source,
                        "ratings");
        SingleOutputStreamOperator<ExperimentReport> reports =
                KafkaSources.stream(
                        env,
                        kafka,
                        Topic.EXPERIMENT_RESULTS,
                        Codecs.EXPERIMENT_REPORT,
                        ExperimentReport::atMillis,
                        source,
                        "experiment-results");

        SingleOutputStreamOperator<Rating> ratings =
                requests.keyBy(Rating::ratingId, Types.STRING)
                        .connect(reports.keyBy(ExperimentReport::ratingId, Types.STRING))
                        .process(
                                new RatingFunction(new KafkaTargetHold(kafka)),
                                CodecTypeInfo.of(Codecs.RATING))
                        .uid("rating")
                        .name("rating");

        Output output = new Output(options.common());
        output.prompt(
                ratings, Topic.RATINGS, Codecs.RATING, Rating::ratingId, Rating::updatedAtMillis);
        output.prompt(
                ratings.getSideOutput(RatingFunction.EXPERIMENTS),
                Topic.EXPERIMENTS,
                Codecs.EXPERIMENT,
                Experiment::ratingId,
                Experiment::issuedAtMillis);
        output.deadLetters(List.of(requests, reports), List.of());
    }
}
