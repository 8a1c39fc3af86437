package io.kipimo.operators.deadline;

import static io.kipimo.core.quality.deadline.Profiles.inTime;
import static io.kipimo.core.quality.deadline.Profiles.late;
import static io.kipimo.core.quality.deadline.Profiles.profile;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.kipimo.core.quality.SampleMeasurements;
import io.kipimo.core.quality.deadline.Profiles;
import io.kipimo.core.quality.deadline.QueryProfile;
import io.kipimo.core.quality.deadline.QueryProfileBuilder;
import io.kipimo.core.quality.join.Events;
import io.kipimo.operators.KeyedState;
import io.kipimo.operators.policy.PolicyBook;
import io.kipimo.schemas.deadline.DeadlineCurve;
import io.kipimo.schemas.deadline.FanOutCurve;
import io.kipimo.schemas.fanout.FanOutPublication;
import io.kipimo.schemas.fanout.FanOutState;
import io.kipimo.schemas.field.ServiceClass;
import io.kipimo.schemas.observation.Observation;
import io.kipimo.schemas.observation.ObservationBuilder;
import io.kipimo.schemas.policy.FanOutPolicy;
import io.kipimo.schemas.policy.Policy;
import io.kipimo.schemas.quality.Features;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.streaming.api.operators.co.CoBroadcastWithKeyedOperator;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.streaming.util.AbstractStreamOperatorTestHarness;
import org.apache.flink.streaming.util.KeyedBroadcastOperatorTestHarness;
import org.apache.flink.types.Either;
import org.junit.jupiter.api.Test;

/** The window is 60 s, a slide 10 s. */
class DeadlineHarnessTest {
    private static final int MAX_PARALLELISM = 128;
    private static final long START = Profiles.START;

    private static KeyedBroadcastOperatorTestHarness<String, Either<QueryProfile, Observation>, Policy, DeadlineCurve>
            harness(int parallelism, int subtask) throws Exception {
        return new KeyedBroadcastOperatorTestHarness<>(
                new CoBroadcastWithKeyedOperator<>(
                        new DeadlineFunction(Map.of("shop", Events.policy()), 60_000, 10_000),
                        List.of(PolicyBook.STATE)),
                DeadlineFunction::key,
                Types.STRING,
                MAX_PARALLELISM,
                parallelism,
                subtask);
    }

    private static KeyedBroadcastOperatorTestHarness<String, Either<QueryProfile, Observation>, Policy, DeadlineCurve>
            opened() throws Exception {
        var harness = harness(1, 0);
        harness.open();
        harness.processBroadcastWatermark(Long.MAX_VALUE);
        return harness;
    }

    private static void feed(
            KeyedBroadcastOperatorTestHarness<String, Either<QueryProfile, Observation>, Policy, DeadlineCurve> harness)
            throws Exception {
        harness.processElement(Either.Left(profile(inTime("a", 10, 1, 2), inTime("b", 20, 3, 4))), START);
        harness.processElement(Either.Left(profile(inTime("a", 10, 1, 2), late("b", 50, 3, 4))), START);
        harness.processElement(Either.Right(SampleMeasurements.second(START, 20, 5)), START);
    }

    @Test
    void aCurveComesEverySlideWhileTheWindowHoldsSomethingAndNothingIsLeftBehind() throws Exception {
        try (var harness = opened()) {
            feed(harness);
            assertThat(harness.numEventTimeTimers()).isEqualTo(1);
            harness.processWatermark(START + 9_999);
            assertThat(harness.extractOutputValues()).isEmpty();

            harness.processWatermark(START + 10_000);
            assertThat(harness.extractOutputValues()).singleElement().satisfies(c -> {
                assertThat(c.service()).isEqualTo("shop");
                assertThat(c.queryClass()).isEqualTo("high");
                assertThat(c.metric()).isEqualTo("tpr@4");
                assertThat(c.endMillis()).isEqualTo(START + 10_000);
                assertThat(c.profiles()).isEqualTo(2);
                assertThat(c.points())
                        .filteredOn(p -> p.deadlineMillis() == 30)
                        .singleElement()
                        .satisfies(p -> assertThat(p.quality().mean()).isCloseTo(0.875, within(1e-9)));
            });

            harness.processWatermark(START + 1_000_000);
            assertThat(harness.extractOutputValues()).hasSize(6);
            assertThat(KeyedState.entries(harness)).as("state").isZero();
            assertThat(harness.numEventTimeTimers()).as("timers").isZero();
        }
    }

    @Test
    void whatComesBehindAClosedSlideCountsInTheNextOne() throws Exception {
        try (var harness = opened()) {
            feed(harness);
            harness.processWatermark(START + 10_000);
            feed(harness);
            harness.processWatermark(START + 20_000);

            assertThat(harness.extractOutputValues())
                    .extracting(DeadlineCurve::profiles)
                    .containsExactly(2, 4);
        }
    }

    @Test
    void aServiceWithoutPolicyLeavesNoState() throws Exception {
        try (var harness = opened()) {
            Observation o = SampleMeasurements.second(START, 20, 5);
            harness.processElement(
                    Either.Right(
                            ObservationBuilder.builder(o).service("stranger").build()),
                    START);

            assertThat(KeyedState.entries(harness)).isZero();
            assertThat(harness.numEventTimeTimers()).isZero();
        }
    }

    @Test
    void panesSurviveASavepointAndRescaling() throws Exception {
        OperatorSubtaskState snapshot;
        try (var harness = opened()) {
            feed(harness);
            harness.processWatermark(START + 10_000);
            snapshot = harness.snapshot(1, 1);
        }
        List<DeadlineCurve> curves = new ArrayList<>();
        for (int subtask = 0; subtask < 3; subtask++) {
            try (var harness = harness(3, subtask)) {
                harness.setup();
                harness.initializeState(AbstractStreamOperatorTestHarness.repartitionOperatorState(
                        snapshot, MAX_PARALLELISM, 1, 3, subtask));
                harness.open();
                harness.processBroadcastWatermark(Long.MAX_VALUE);
                harness.processWatermark(START + 1_000_000);
                curves.addAll(harness.extractOutputValues());
                assertThat(KeyedState.entries(harness)).isZero();
                assertThat(harness.numEventTimeTimers()).isZero();
            }
        }
        assertThat(curves).hasSize(5).allMatch(c -> c.profiles() == 2);
    }

    /** Topic 1 has its answers in component a, topic 2 in b; each query has a word of its own. */
    private static void feedTopics(
            KeyedBroadcastOperatorTestHarness<String, Either<QueryProfile, Observation>, Policy, DeadlineCurve> harness,
            long from,
            int queries)
            throws Exception {
        for (int i = 0; i < queries; i++) {
            boolean inA = i % 2 == 0;
            long[] all = {1, 2, 3, 4};
            QueryProfile profile = profile(
                    Features.of(inA ? 1 : 2, 1_000 + i),
                    inA ? inTime("a", 10, all) : inTime("a", 10),
                    inA ? inTime("b", 10) : inTime("b", 10, all));
            harness.processElement(
                    Either.Left(QueryProfileBuilder.builder(profile)
                            .profiledAtMillis(from + i)
                            .build()),
                    from + i);
        }
    }

    @Test
    void whatAChoiceOfComponentsWouldSaveIsLearnedWhereFeaturesCome() throws Exception {
        OperatorSubtaskState snapshot;
        try (var harness = opened()) {
            feed(harness);
            harness.processWatermark(START + 10_000);
            assertThat(harness.extractOutputValues())
                    .last()
                    .extracting(DeadlineCurve::fanOut)
                    .isEqualTo(FanOutCurve.NONE);
            for (int slide = 1; slide < 4; slide++) {
                feedTopics(harness, START + slide * 10_000L, 1_000);
                harness.processWatermark(START + (slide + 1) * 10_000L);
            }
            assertThat(harness.extractOutputValues().get(3).fanOut())
                    .satisfies(c -> assertThat(c.queries()).isEqualTo(3_000))
                    .satisfies(c -> assertThat(c.calibrated()).isTrue());
            assertThat(harness.extractOutputValues().get(3).fanOut().perfect())
                    .allSatisfy(p -> assertThat(p.effort()).isCloseTo(0.5, within(0.01)));
            assertThat(harness.extractOutputValues().get(3).fanOut().learned())
                    .filteredOn(p -> p.floor() == 0.9)
                    .singleElement()
                    .satisfies(p -> {
                        assertThat(p.effort()).isLessThan(0.8);
                        assertThat(p.quality().low()).isGreaterThan(0.9);
                    });
            snapshot = harness.snapshot(1, 1);
        }
        try (var harness = harness(1, 0)) {
            harness.setup();
            harness.initializeState(snapshot);
            harness.open();
            harness.processBroadcastWatermark(Long.MAX_VALUE);
            harness.processWatermark(START + 50_000);
            assertThat(harness.extractOutputValues())
                    .last()
                    .satisfies(c -> assertThat(c.fanOut().queries()).isEqualTo(3_000));
            harness.processWatermark(START + 1_000_000);
            assertThat(KeyedState.entries(harness)).isZero();
        }
    }

    private static Policy choosing(Optional<FanOutPolicy> fanOut) {
        return Events.policy().withVersion(Events.policy().version() + 1).withFanOut(fanOut);
    }

    private static List<FanOutPublication> published(
            KeyedBroadcastOperatorTestHarness<String, Either<QueryProfile, Observation>, Policy, DeadlineCurve>
                    harness) {
        var output = harness.getSideOutput(DeadlineFunction.FAN_OUT_OUTPUT);
        return output == null
                ? List.of()
                : output.stream().map(StreamRecord::getValue).collect(Collectors.toList());
    }

    @Test
    void whereThePolicyAllowsItTheModelIsPublishedAndThenOnlyExploredQueriesTeach() throws Exception {
        FanOutPolicy fanOut = FanOutPolicy.builder()
                .classes(List.of("high"))
                .floor(0.9)
                .exploration(0.5)
                .shadow(false)
                .build();
        OperatorSubtaskState snapshot;
        try (var harness = opened()) {
            feedTopics(harness, START, 1_000);
            harness.processWatermark(START + 10_000);
            assertThat(published(harness)).as("the policy does not allow it").isEmpty();

            harness.processBroadcastElement(choosing(Optional.of(fanOut)), START);
            for (int slide = 1; slide < 4; slide++) {
                feedTopics(harness, START + slide * 10_000L, 1_000);
                harness.processWatermark(START + (slide + 1) * 10_000L);
            }
            assertThat(published(harness)).last().satisfies(p -> {
                assertThat(p.serviceClass()).isEqualTo(new ServiceClass("shop", "high"));
                assertThat(p.state()).isEqualTo(FanOutState.ON);
                assertThat(p.model().orElseThrow().components()).containsExactly("a", "b");
            });
            snapshot = harness.snapshot(1, 1);
        }
        try (var harness = harness(1, 0)) {
            harness.setup();
            harness.initializeState(snapshot);
            harness.open();
            harness.processBroadcastWatermark(Long.MAX_VALUE);
            // Queries here have randomness 0, so none is explored: once on, none teaches.
            long learned = 2_000;
            feedTopics(harness, START + 40_000, 500);
            harness.processWatermark(START + 50_000);
            assertThat(harness.extractOutputValues())
                    .last()
                    .satisfies(c -> assertThat(c.fanOut().queries()).isEqualTo(learned));

            harness.processBroadcastElement(choosing(Optional.empty()).withVersion(1_000), START + 50_000);
            harness.processWatermark(START + 60_000);
            assertThat(published(harness)).last().satisfies(p -> assertThat(p.state())
                    .isEqualTo(FanOutState.OFF));
            feedTopics(harness, START + 60_000, 500);
            harness.processWatermark(START + 70_000);
            assertThat(harness.extractOutputValues())
                    .last()
                    .satisfies(c -> assertThat(c.fanOut().queries()).isEqualTo(learned + 500));

            harness.processWatermark(START + 1_000_000);
            assertThat(KeyedState.entries(harness)).isZero();
        }
    }

    @Test
    void aWindowThatIsNoMultipleOfItsSlideIsRefused() {
        assertThatThrownBy(() -> new DeadlineFunction(Map.of(), 25_000, 10_000))
                .hasMessage("window is 25000 ms; allowed: a multiple of the slide, which is 10000 ms");
    }
}
