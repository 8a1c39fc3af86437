package io.kipimo.operators.rating;

import static org.assertj.core.api.Assertions.assertThat;

import io.kipimo.core.rating.DriftWatch;
import io.kipimo.core.rating.ServiceFact;
import io.kipimo.core.rating.ServiceFact.Aspect;
import io.kipimo.operators.KeyedState;
import io.kipimo.schemas.rating.AgreementTerms;
import io.kipimo.schemas.rating.ExperimentTermsBuilder;
import io.kipimo.schemas.rating.LoadModel;
import io.kipimo.schemas.rating.Rating;
import io.kipimo.schemas.rating.RatingBuilder;
import io.kipimo.schemas.rating.RatingRequest;
import io.kipimo.schemas.rating.RatingState;
import io.kipimo.schemas.rating.RatingTechnique;
import io.kipimo.schemas.rating.SearchTerms;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.streaming.api.operators.co.KeyedCoProcessOperator;
import org.apache.flink.streaming.util.KeyedTwoInputStreamOperatorTestHarness;
import org.junit.jupiter.api.Test;

class StaleRatingHarnessTest {
    private static final long PROFILE_MILLIS = 60_000;
    private static final long RATED_MILLIS = 1_000_000;

    private long nowMillis = RATED_MILLIS;

    private static KeyedTwoInputStreamOperatorTestHarness<String, Rating, ServiceFact, Rating> harness()
            throws Exception {
        return new KeyedTwoInputStreamOperatorTestHarness<>(
                new KeyedCoProcessOperator<>(
                        new StaleRatingFunction(new DriftWatch.Drift(PROFILE_MILLIS, 0.1, 0.2, 0.5))),
                rating -> rating.request().service(),
                ServiceFact::service,
                Types.STRING);
    }

    private static Rating rating(RatingState state, long updatedAtMillis) {
        return RatingBuilder.builder()
                .request(new RatingRequest(
                        "r1",
                        "shop",
                        "search",
                        new AgreementTerms(0.95, 50_000, 0, 0, 0.01, 1_000),
                        new SearchTerms(RatingTechnique.ADAPTIVE, 2, 0, 0.02, 1_000, 100),
                        ExperimentTermsBuilder.builder()
                                .model(LoadModel.OPEN)
                                .unit(10)
                                .millis(1_000)
                                .generators(1)
                                .patienceMillis(1_000)
                                .seed(1)
                                .build(),
                        RATED_MILLIS - 1))
                .state(state)
                .load(7)
                .throughput(70)
                .noise(0.01)
                .elapsedMillis(1)
                .predictedMillis(1)
                .remark("")
                .updatedAtMillis(updatedAtMillis)
                .build();
    }

    private void capacity(
            KeyedTwoInputStreamOperatorTestHarness<String, Rating, ServiceFact, Rating> harness,
            int windows,
            double requestsPerSecond)
            throws Exception {
        for (int i = 0; i < windows; i++) {
            nowMillis += 10_000;
            harness.processElement2(
                    new ServiceFact("shop", Aspect.CAPACITY, "page", requestsPerSecond, nowMillis), nowMillis);
        }
    }

    @Test
    void aRatingWhoseTierLostCapacityIsToldStaleOnce_alsoAfterARestart() throws Exception {
        OperatorSubtaskState snapshot;
        try (var harness = harness()) {
            harness.open();
            harness.processElement1(rating(RatingState.FOUND, RATED_MILLIS), RATED_MILLIS);
            capacity(harness, 12, 100);
            snapshot = harness.snapshot(1, nowMillis);
            assertThat(harness.extractOutputValues()).isEmpty();
        }
        try (var harness = harness()) {
            harness.initializeState(snapshot);
            harness.open();
            capacity(harness, 30, 50);

            assertThat(harness.extractOutputValues()).singleElement().satisfies(stale -> {
                assertThat(stale.state()).isEqualTo(RatingState.STALE);
                assertThat(stale.ratingId()).isEqualTo("r1");
                assertThat(stale.throughput()).isEqualTo(70);
                assertThat(stale.remark()).isEqualTo("capacity of page: 50.0, was 100");
            });
            assertThat(KeyedState.entries(harness)).isZero();
        }
    }

    @Test
    void aNewRatingIsHeldAgainstTheServiceAsItIsNow() throws Exception {
        try (var harness = harness()) {
            harness.open();
            harness.processElement1(rating(RatingState.FOUND, nowMillis), nowMillis);
            capacity(harness, 12, 100);
            harness.processElement1(rating(RatingState.FOUND, nowMillis), nowMillis);
            capacity(harness, 60, 50);

            assertThat(harness.extractOutputValues()).isEmpty();
        }
    }

    @Test
    void factsOfUnratedServicesAreNotKept() throws Exception {
        try (var harness = harness()) {
            harness.open();
            harness.processElement1(rating(RatingState.NONE, nowMillis), nowMillis);
            harness.processElement1(rating(RatingState.FOUND, nowMillis), nowMillis);
            harness.processElement1(rating(RatingState.STALE, nowMillis), nowMillis);
            capacity(harness, 30, 50);

            assertThat(KeyedState.entries(harness)).isZero();
            assertThat(harness.extractOutputValues()).isEmpty();
        }
    }
}
