package io.kipimo.core.quality.fanout.model;

import static org.assertj.core.api.Assertions.assertThat;

import io.kipimo.core.quality.deadline.Profiles;
import io.kipimo.core.quality.deadline.QueryProfile;
import io.kipimo.schemas.deadline.FanOutCurve;
import io.kipimo.schemas.deadline.FanOutFloor;
import io.kipimo.schemas.policy.ComponentCost;
import io.kipimo.schemas.quality.Features;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ContributionLearningTest {
    private static final String[] LAYOUT = TopicWorld.COMPONENTS.toArray(String[]::new);

    private final TopicWorld world = new TopicWorld(3);

    private List<FanOutSample> batch(int queries, String... components) {
        List<FanOutSample> batch = new ArrayList<>();
        for (int i = 0; i < queries; i++) {
            TopicWorld.Query query = world.next();
            batch.add(new FanOutSample(components, query.features(), query.shares(), new double[] {1, 1, 1, 1}));
        }
        return batch;
    }

    private static FanOutFloor at(List<FanOutFloor> floors, double floor) {
        return floors.stream().filter(f -> f.floor() == floor).findFirst().orElseThrow();
    }

    @Test
    void theCurveTellsEffortAndQualityOfLearnedAndPerfectChoices() {
        FanOutCurve curve = ContributionLearning.learn(Optional.empty(), "search", batch(8_000, LAYOUT))
                .curve();

        assertThat(curve.queries()).isEqualTo(8_000);
        assertThat(curve.calibrated()).isTrue();
        assertThat(at(curve.perfect(), 0.9).effort()).isCloseTo(0.25, Offset.offset(1e-9));
        assertThat(at(curve.perfect(), 0.9).quality().mean()).isCloseTo(0.9, Offset.offset(1e-9));
        assertThat(at(curve.learned(), 0.8).effort()).isBetween(0.25, 0.6);
        assertThat(at(curve.learned(), 0.8).quality().low()).isGreaterThan(0.78);
        assertThat(curve.learned()).allSatisfy(f -> assertThat(f.quality().low())
                .isLessThanOrEqualTo(f.quality().mean()));
    }

    @Test
    void beforeEnoughQueriesNothingIsTold() {
        FanOutCurve curve = ContributionLearning.learn(Optional.empty(), "search", batch(100, LAYOUT))
                .curve();

        assertThat(curve).isEqualTo(new FanOutCurve(100, false, List.of(), List.of()));
    }

    @Test
    void aStoredModelContinuesAsIfItHadNotBeenStored() {
        List<FanOutSample> first = batch(1_000, LAYOUT);
        List<FanOutSample> second = batch(1_000, LAYOUT);
        ContributionLearner kept = ContributionLearning.learn(Optional.empty(), "search", first);
        Optional<ContributionLearner> stored = ContributionLearner.ofBytes(kept.toBytes());
        assertThat(stored.orElseThrow().toBytes()).isEqualTo(kept.toBytes());
        assertThat(kept.toBytes().length).isLessThan(9 * ContributionModel.MOST_BYTES);

        kept = ContributionLearning.learn(Optional.of(kept), "search", second);
        assertThat(ContributionLearning.learn(stored, "search", second).curve()).isEqualTo(kept.curve());
    }

    @Test
    void aShiftIsStoredAndAnotherVersionIsNotRead() {
        ContributionLearner shifted = ContributionLearning.learn(Optional.empty(), "search", batch(4_000, LAYOUT));
        assertThat(shifted.hasShifted(0.85, true)).isFalse();
        System.arraycopy(new int[] {1, 2, 3, 0}, 0, world.home, 0, 4);
        shifted = ContributionLearning.learn(Optional.of(shifted), "search", batch(20, LAYOUT));
        assertThat(shifted.hasShifted(0.85, true)).isTrue();
        byte[] stored = shifted.toBytes();
        assertThat(ContributionLearner.ofBytes(stored).orElseThrow().hasShifted(0.85, true))
                .isTrue();
        stored[0]++;
        assertThat(ContributionLearner.ofBytes(stored)).isEmpty();
    }

    /** Half of the queries have all in one component, and cost a hundredth of the others. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void whatCheapQueriesSaveIsLittleOfTheWork(boolean areCostsStated) {
        List<FanOutSample> samples = new ArrayList<>();
        for (int i = 0; i < 4_000; i++) {
            boolean isCheap = i % 2 == 0;
            double work = isCheap ? 1 : 100;
            samples.add(new FanOutSample(
                    LAYOUT,
                    new long[] {isCheap ? 1 : 2},
                    isCheap ? new double[] {1, 0, 0, 0} : new double[] {1, 1, 1, 1},
                    new double[] {work, work, work, work}));
        }
        List<ComponentCost> costs =
                TopicWorld.COMPONENTS.stream().map(c -> new ComponentCost(c, 7)).toList();
        ContributionLearner learner =
                ContributionLearning.learn(Optional.empty(), "search", samples, areCostsStated ? costs : List.of());

        FanOutFloor floor = at(learner.curve().perfect(), 0.93);
        assertThat(floor.effort()).isCloseTo((1 + 400.0) / 404, Offset.offset(1e-3));
        assertThat(at(learner.curve().learned(), 0.93).effort()).isGreaterThan(0.98);
    }

    /** Half of the queries have all in one component. In overload all wait for the costly ones. */
    @Test
    void inOverloadWaitingDoesNotMakeCheapQueriesLookCostly() {
        ContributionLearner learner = TopicWorld.learner();
        SplittableRandom random = new SplittableRandom(11);
        for (int i = 0; i < 8_000; i++) {
            boolean isCheap = random.nextBoolean();
            double[] latencies = new double[4];
            for (int c = 0; c < 4; c++) {
                double waiting = i < 2_000 ? 0 : -150 * Math.log(1 - random.nextDouble());
                latencies[c] = (isCheap ? 1 : 100) + waiting;
            }
            learner.learn(
                    new long[] {isCheap ? 1 : 2},
                    isCheap ? new double[] {1, 0, 0, 0} : new double[] {1, 1, 1, 1},
                    latencies);
        }

        // By latencies alone it would be (151 + 4 * 250) / (4 * 151 + 4 * 250), 0.72.
        assertThat(at(learner.curve().perfect(), 0.93).effort()).isBetween(0.9, 1.0);
    }

    @Test
    void aModelOfALaterVersionIsNotRead() {
        byte[] stored = ContributionLearning.learn(Optional.empty(), "search", batch(1, LAYOUT))
                .toBytes();
        stored[0]++;
        assertThat(ContributionLearner.ofBytes(stored)).isEmpty();
    }

    @Test
    void afterAChangeOfLayoutANewModelBegins() {
        ContributionLearner learner = ContributionLearning.learn(Optional.empty(), "search", batch(500, LAYOUT));
        List<FanOutSample> mixed = batch(100, LAYOUT);
        mixed.addAll(batch(400, "a", "b", "c", "e"));
        learner = ContributionLearning.learn(Optional.of(learner), "search", mixed);
        assertThat(learner.components()).isEqualTo(TopicWorld.COMPONENTS);
        assertThat(learner.learned()).isEqualTo(600);

        learner = ContributionLearning.learn(Optional.of(learner), "search", batch(400, "a", "b", "c", "e"));
        assertThat(learner.components()).containsExactly("a", "b", "c", "e");
        assertThat(learner.learned()).isEqualTo(400);
    }

    @Test
    void aCleanQueryTeachesItsContributionsAndOnesWithoutFeaturesOrResultsNothing() {
        QueryProfile clean =
                Profiles.profile(Features.of(7), Profiles.inTime("b", 20, 3), Profiles.inTime("a", 10, 1, 2, 4));
        FanOutSample sample = FanOutSample.of(clean).orElseThrow();
        assertThat(sample.components()).containsExactly("a", "b");
        assertThat(sample.features()).containsExactly(7);
        assertThat(sample.contributions()).containsExactly(0.75, 0.25);
        assertThat(sample.work()).containsExactly(10_000, 20_000);

        assertThat(FanOutSample.of(Profiles.profile(Profiles.inTime("a", 1, 1))))
                .isEmpty();
        assertThat(FanOutSample.of(
                        Profiles.profile(Features.of(7), Profiles.inTime("a", 10, 1), Profiles.missing("b"))))
                .isEmpty();
    }
}
