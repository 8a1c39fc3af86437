package io.kipimo.jobs.rating;

import io.kipimo.core.rating.DriftWatch;
import io.kipimo.core.rating.ServiceFact;
import io.kipimo.jobs.Output;
import io.kipimo.jobs.flink.FlushOnDemand;
import io.kipimo.jobs.options.OptionSet;
import io.kipimo.jobs.options.StaleRatingOptions;
import io.kipimo.kafka.KafkaSources;
import io.kipimo.kafka.KafkaTargetHold;
import io.kipimo.kafka.TopicRecords;
import io.kipimo.operators.quality.LoggedObservation;
import io.kipimo.operators.rating.RatingFunction;
import io.kipimo.operators.rating.ServiceFacts;
import io.kipimo.operators.rating.StaleRatingFunction;
import io.kipimo.operators.types.Format;
import io.kipimo.schemas.codec.Codecs;
import io.kipimo.schemas.rating.ExperimentReport;
import io.kipimo.schemas.rating.Rating;
import io.kipimo.schemas.tails.TailWindow;
import java.util.List;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.util.Collector;

/**
 * Reads requests for ratings and reports of load generators, and writes commands to the generators and ratings. The job
 * continues to watch published ratings: observations of front ends and of the tails job may make a rating stale.
 *
 * <pre>
 * ratings ──┬──────────┬─> rating (rating id) ──> ratings
 * experiment-results ──┘                     └──> experiments
 * ratings ──┴──────────┬─> stale-ratings (service) ──> ratings
 * observations, tails ─┘
 * </pre>
 */
public final class RatingJob {
    public static final String NAME = "rating";

    public static final OptionSet<DriftWatch.Drift> OPTIONS =
            new OptionSet<>(NAME, StaleRatingOptions::read, List.of(StaleRatingOptions.all()));

    private RatingJob() {}

    /** Adds the job to {@code env}. */
    public static void define(StreamExecutionEnvironment env, OptionSet.Valid<DriftWatch.Drift> options) {
        KafkaSources in =
                new KafkaSources(env, options.common().kafka(), options.common().source());
        SingleOutputStreamOperator<Rating> requests = in.stream(TopicRecords.RATINGS);
        SingleOutputStreamOperator<ExperimentReport> reports = in.stream(TopicRecords.EXPERIMENT_RESULTS);

        SingleOutputStreamOperator<Rating> ratings = requests.keyBy(Rating::ratingId, Types.STRING)
                .connect(reports.keyBy(ExperimentReport::ratingId, Types.STRING))
                .process(
                        new RatingFunction(new KafkaTargetHold(options.common().kafka())), Format.typeOf(Codecs.RATING))
                .uid("rating")
                .name("rating");

        SingleOutputStreamOperator<LoggedObservation> observations = in.observations();
        SingleOutputStreamOperator<TailWindow> tails = in.stream(TopicRecords.TAILS);
        DataStream<Rating> stale = stale(requests, facts(observations, tails), options.own());

        Output output = new Output(options.common());
        output.prompt(ratings.union(stale), TopicRecords.RATINGS);
        output.prompt(ratings.getSideOutput(RatingFunction.EXPERIMENTS), TopicRecords.EXPERIMENTS);
        output.deadLetters(in, List.of());
        FlushOnDemand.of(env);
    }

    private static DataStream<ServiceFact> facts(
            DataStream<LoggedObservation> observations, DataStream<TailWindow> tails) {
        return observations
                .flatMap(
                        (LoggedObservation seen, Collector<ServiceFact> out) ->
                                ServiceFacts.of(seen.observation()).ifPresent(out::collect),
                        ServiceFacts.TYPE)
                .uid("mix-facts")
                .union(tails.flatMap(
                                (TailWindow window, Collector<ServiceFact> out) ->
                                        ServiceFacts.of(window).ifPresent(out::collect),
                                ServiceFacts.TYPE)
                        .uid("tail-facts"));
    }

    private static DataStream<Rating> stale(
            DataStream<Rating> requests, DataStream<ServiceFact> facts, DriftWatch.Drift drift) {
        return requests.filter(rating -> !rating.request().service().isEmpty())
                .uid("ratings-of-services")
                .keyBy(rating -> rating.request().service(), Types.STRING)
                .connect(facts.keyBy(ServiceFact::service, Types.STRING))
                .process(new StaleRatingFunction(drift), Format.typeOf(Codecs.RATING))
                .uid("stale-ratings")
                .name("stale-ratings");
    }
}
