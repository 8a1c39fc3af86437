package io.kipimo.operators;

import io.kipimo.core.quality.SampleMeasurements;
import io.kipimo.core.quality.deadline.Profiles;
import io.kipimo.core.quality.deadline.QueryProfile;
import io.kipimo.core.quality.deadline.QueryProfileBuilder;
import io.kipimo.core.quality.join.Events;
import io.kipimo.core.rating.DriftWatch;
import io.kipimo.core.rating.ServiceFact;
import io.kipimo.core.replication.TierWindowSamples;
import io.kipimo.operators.control.ControlFunction;
import io.kipimo.operators.deadline.DeadlineFunction;
import io.kipimo.operators.isolation.EdgeRecords;
import io.kipimo.operators.isolation.Neighbours;
import io.kipimo.operators.policy.PolicyBook;
import io.kipimo.operators.rating.RatingFunction;
import io.kipimo.operators.rating.ServiceFacts;
import io.kipimo.operators.rating.StaleRatingFunction;
import io.kipimo.operators.rating.TargetHold;
import io.kipimo.schemas.codec.Codec;
import io.kipimo.schemas.codec.Codecs;
import io.kipimo.schemas.decision.Decision;
import io.kipimo.schemas.field.RecordFields;
import io.kipimo.schemas.observation.Observation;
import io.kipimo.schemas.policy.Policy;
import io.kipimo.schemas.quality.Estimate;
import io.kipimo.schemas.quality.QualityWindow;
import io.kipimo.schemas.quality.WindowKind;
import io.kipimo.schemas.rating.ExperimentReport;
import io.kipimo.schemas.rating.Rating;
import io.kipimo.schemas.rating.RatingBuilder;
import io.kipimo.schemas.rating.RatingRequest;
import io.kipimo.schemas.rating.RatingState;
import io.kipimo.schemas.replication.ReplicationDecision;
import io.kipimo.schemas.tails.TailWindow;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.streaming.api.operators.co.CoBroadcastWithKeyedOperator;
import org.apache.flink.streaming.api.operators.co.KeyedCoProcessOperator;
import org.apache.flink.streaming.util.KeyedBroadcastOperatorTestHarness;
import org.apache.flink.streaming.util.KeyedTwoInputStreamOperatorTestHarness;
import org.apache.flink.types.Either;
import org.junit.jupiter.api.Test;

/** One service's data harms no other one in controllers, advice and ratings. */
class NeighbourControllersHarnessTest {
    private static final long NOW = 100_000_000;
    private static final long STEP_MILLIS = 10_000;
    private static final String BAD = Neighbours.BAD;

    private static long at(int step) {
        return NOW + STEP_MILLIS * step;
    }

    private static QualityWindow batch(int step) {
        double quality = 0.8 + 0.01 * (step % 5);
        Estimate estimate = new Estimate(quality - 0.01, quality, quality + 0.01);
        return QualityWindow.builder()
                .service("shop")
                .queryClass("high")
                .metric("tpr@4")
                .kind(WindowKind.BATCH)
                .startMillis(at(step) - STEP_MILLIS)
                .endMillis(at(step))
                .offered(1000)
                .answered(1000)
                .timedOut(300)
                .samples(200)
                .degradedSamples(60)
                .estimate(Optional.of(estimate))
                .averaged(Optional.of(estimate))
                .averagedSamples(1200)
                .objective(0.9)
                .lossPerTimeOut(Optional.of(0.5))
                .build();
    }

    /** At any time, or near the time of the step. */
    private static <T extends Record> T edge(EdgeRecords edges, Codec<T> codec, int step, String start, String end) {
        return edges.random().nextInt(3) == 0
                ? edges.of(codec, Map.of("service", BAD))
                : edges.of(codec, Map.of("service", BAD, start, at(step) - STEP_MILLIS, end, at(step)));
    }

    private static <I extends Record, O extends Record, D> void controller(
            Neighbours.Opening<ControlFunction<I, O, D, ?>> function,
            Codec<I> inputs,
            Codec<O> others,
            Policy policy,
            Neighbours.Feed<KeyedTwoInputStreamOperatorTestHarness<String, I, Either<Policy, O>, D>> good)
            throws Exception {
        Policy known = policy.toBuilder().service(BAD).build();
        Neighbours.check(
                () -> {
                    var harness = new KeyedTwoInputStreamOperatorTestHarness<String, I, Either<Policy, O>, D>(
                            new KeyedCoProcessOperator<>(function.open()),
                            input -> serviceOf(input),
                            word -> serviceOf(word.isLeft() ? word.left() : word.right()),
                            Types.STRING);
                    harness.open();
                    harness.setProcessingTime(NOW);
                    harness.processElement2(Either.Left(policy), NOW);
                    return harness;
                },
                good,
                (harness, step, edges) -> {
                    switch (edges.random().nextInt(4)) {
                        case 0 -> harness.processElement2(Either.Left(edges.policy(known, BAD, step + 1L)), NOW);
                        case 1 ->
                            harness.processElement2(
                                    Either.Right(
                                            others == (Object) Codecs.DECISION
                                                    ? edges.of(others, Map.of("scope", BAD + "/high"))
                                                    : edges.of(others, Map.of("service", BAD))),
                                    NOW);
                        default -> harness.processElement1(edge(edges, inputs, step, "startMillis", "endMillis"), NOW);
                    }
                },
                (harness, step, edges) -> harness.setProcessingTime(at(step)));
    }

    private static String serviceOf(Object input) {
        if (input instanceof Decision decision) {
            return decision.scope().substring(0, decision.scope().indexOf('/'));
        }
        if (input instanceof TailWindow tail) {
            return tail.service();
        }
        if (input instanceof Policy policy) {
            return policy.service();
        }
        return input instanceof ReplicationDecision factors ? factors.service() : ((QualityWindow) input).service();
    }

    private static Policy active() {
        Policy p = Events.policy();
        return p.toBuilder()
                .admission(p.admission().toBuilder()
                        .shadow(false)
                        .periodMillis(STEP_MILLIS)
                        .build())
                .build();
    }

    @Test
    void admission() throws Exception {
        controller(
                () -> ControlFunction.admission((controller, claimant, now) -> 7, Map::of),
                Codecs.QUALITY_WINDOW,
                Codecs.REPLICATION_DECISION,
                active(),
                (harness, step, edges) -> harness.processElement1(batch(step), NOW));
    }

    @Test
    void sampling() throws Exception {
        controller(
                () -> ControlFunction.sampling((controller, claimant, now) -> 7, Map::of),
                Codecs.QUALITY_WINDOW,
                Codecs.REPLICATION_DECISION,
                active(),
                (harness, step, edges) -> harness.processElement1(batch(step), NOW));
    }

    @Test
    void replication() throws Exception {
        List<List<TailWindow>> windows = new ArrayList<>();
        var pages = new TierWindowSamples.Service(20, 3);
        for (int step = 0; step < 24; step++) {
            windows.add(pages.window(at(step) - STEP_MILLIS, List.of(1, 1)));
        }
        controller(
                () -> ControlFunction.replication((controller, claimant, now) -> 7, Map::of),
                Codecs.TAIL_WINDOW,
                Codecs.DECISION,
                TierWindowSamples.policy(1, Optional.of(TierWindowSamples.replication())),
                (harness, step, edges) -> {
                    for (TailWindow window : windows.get(step)) {
                        harness.processElement1(window, NOW);
                    }
                });
    }

    @Test
    void deadlines() throws Exception {
        Policy known = Events.policy();
        Policy bad = known.toBuilder().service(BAD).build();
        Neighbours.check(
                () -> {
                    var harness = new KeyedBroadcastOperatorTestHarness<>(
                            new CoBroadcastWithKeyedOperator<>(
                                    new DeadlineFunction(Map.of("shop", known, BAD, bad), 60_000, 10_000),
                                    List.of(PolicyBook.STATE)),
                            (Either<QueryProfile, Observation> input) -> input.isLeft()
                                    ? input.left().scope()
                                    : input.right().scope(),
                            Types.STRING,
                            1,
                            1,
                            0);
                    harness.open();
                    harness.processBroadcastWatermark(Long.MAX_VALUE);
                    return harness;
                },
                (harness, step, edges) -> {
                    harness.processElement(Either.Left(profile(step, "shop")), NOW);
                    harness.processElement(Either.Right(SampleMeasurements.second(at(step), 20, 5)), NOW);
                },
                (harness, step, edges) -> {
                    switch (edges.random().nextInt(4)) {
                        case 0 -> harness.processBroadcastElement(edges.policy(bad, BAD, step + 2L), NOW);
                        case 1 -> {
                            QueryProfile profile = profile(step, BAD);
                            harness.processElement(
                                    Either.Left(QueryProfileBuilder.builder(profile)
                                            .completedMicros(new long[] {0, Long.MAX_VALUE})
                                            .qualities(new double[] {
                                                0, edges.random().nextDouble(), Double.MIN_VALUE
                                            })
                                            .features(edges.random().longs(3).toArray())
                                            .deadlineMillis(edges.random().nextInt(2))
                                            .build()),
                                    NOW);
                        }
                        default ->
                            harness.processElement(
                                    Either.Right(edges.of(
                                            Codecs.OBSERVATION,
                                            Map.of("service", BAD, "queryClass", "high", "secondMillis", at(step)))),
                                    NOW);
                    }
                },
                (harness, step, edges) -> harness.processWatermark(at(step)),
                DeadlineFunction.FAN_OUT_OUTPUT);
    }

    private static QueryProfile profile(int step, String service) {
        return QueryProfileBuilder.builder(
                        Profiles.profile(Profiles.inTime("a", 10, 1, 2), Profiles.late("b", 50, 3, 4)))
                .service(service)
                .startedAtMillis(at(step) - 100)
                .profiledAtMillis(at(step))
                .build();
    }

    @Test
    void ratings() throws Exception {
        TargetHold hold = new TargetHold() {
            private static final long serialVersionUID = 1L;

            @Override
            public void hold(String service, String ratingId, long untilMillis) {}

            @Override
            public void release(String service, String ratingId) {}
        };
        Rating first = new EdgeRecords(0)
                .of(Codecs.RATING, Map.of(), r -> r.request().experiments().millis() > 0);
        Neighbours.check(
                () -> {
                    var harness = new KeyedTwoInputStreamOperatorTestHarness<String, Rating, ExperimentReport, Rating>(
                            new KeyedCoProcessOperator<>(new RatingFunction(hold)),
                            Rating::ratingId,
                            ExperimentReport::ratingId,
                            Types.STRING);
                    harness.open();
                    harness.setProcessingTime(NOW);
                    return harness;
                },
                (harness, step, edges) -> {
                    if (step == 0) {
                        harness.processElement1(requested(first, "shop"), NOW);
                    }
                },
                (harness, step, edges) -> {
                    if (edges.random().nextInt(3) == 0) {
                        harness.processElement1(
                                requested(edges.of(Codecs.RATING, Map.of("trials", List.of())), BAD), NOW);
                    } else {
                        harness.processElement2(edges.of(Codecs.EXPERIMENT_REPORT, Map.of("ratingId", BAD)), NOW);
                    }
                },
                (harness, step, edges) -> harness.setProcessingTime(at(step)),
                RatingFunction.EXPERIMENTS);
    }

    private static Rating requested(Rating rating, String id) {
        var fields = RecordFields.of(Rating.class);
        var requests = RecordFields.of(RatingRequest.class);
        Object[] request = requests.values(rating.request());
        request[requests.index("ratingId")] = id;
        request[requests.index("service")] = id;
        Object[] values = fields.values(rating);
        values[fields.index("request")] = requests.create(request);
        values[fields.index("state")] = RatingState.REQUESTED;
        return fields.create(values);
    }

    @Test
    void staleRatings() throws Exception {
        Rating good = new EdgeRecords(1).of(Codecs.RATING, Map.of("state", RatingState.FOUND, "updatedAtMillis", NOW));
        Neighbours.check(
                () -> {
                    var harness = new KeyedTwoInputStreamOperatorTestHarness<String, Rating, ServiceFact, Rating>(
                            new KeyedCoProcessOperator<>(
                                    new StaleRatingFunction(new DriftWatch.Drift(60_000, 0.1, 0.2, 0.5))),
                            rating -> rating.request().service(),
                            ServiceFact::service,
                            Types.STRING);
                    harness.open();
                    harness.setProcessingTime(NOW);
                    Rating rating = requested(good, "shop");
                    harness.processElement1(
                            RatingBuilder.builder(rating)
                                    .state(RatingState.FOUND)
                                    .build(),
                            NOW);
                    return harness;
                },
                (harness, step, edges) -> {
                    for (int half = 0; half < 2; half++) {
                        harness.processElement2(
                                new ServiceFact(
                                        "shop",
                                        ServiceFact.Aspect.CAPACITY,
                                        "page",
                                        step < 8 ? 100 : 40,
                                        at(step) + 5_000L * half),
                                NOW);
                    }
                },
                (harness, step, edges) -> {
                    switch (edges.random().nextInt(3)) {
                        case 0 ->
                            harness.processElement1(
                                    RatingBuilder.builder(requested(edges.of(Codecs.RATING, Map.of()), BAD))
                                            .state(RatingState.FOUND)
                                            .build(),
                                    NOW);
                        case 1 -> {
                            var fact = ServiceFacts.of(edges.of(Codecs.OBSERVATION, Map.of("service", BAD)));
                            if (fact.isPresent()) {
                                harness.processElement2(fact.get(), NOW);
                            }
                        }
                        default -> {
                            var fact = ServiceFacts.of(edges.of(Codecs.TAIL_WINDOW, Map.of("service", BAD)));
                            if (fact.isPresent()) {
                                harness.processElement2(fact.get(), NOW);
                            }
                        }
                    }
                },
                (harness, step, edges) -> harness.setProcessingTime(at(step)));
    }
}
