package io.kipimo.core.quality.fanout.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.kipimo.core.quality.fanout.model.FanOutChoice.Reason;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ContributionModelTest {
    private static final double NO_PRICE = Double.POSITIVE_INFINITY;

    private final TopicWorld world = new TopicWorld(7);
    private final ContributionLearner learner = TopicWorld.learner();

    private FanOutChoice choose(ContributionModel model, TopicWorld.Query query, double floor) {
        return FanOutChoice.choose(model, query.features(), TopicWorld.COMPONENTS, NO_PRICE, floor);
    }

    @Test
    void whatATopicsComponentContributesIsLearned() {
        world.teach(learner, 6_000);
        ContributionModel model = learner.model(1, 0);

        double mean = 0;
        for (int i = 0; i < 200; i++) {
            double[] shares = model.predict(world.of(2).features());
            assertThat(Arrays.stream(shares).sum()).isCloseTo(1, within(1e-9));
            mean += shares[2] / 200;
        }
        assertThat(mean).isBetween(0.83, 0.95);
        assertThat(model.bytes()).isEqualTo(32 * 1024);
    }

    @Test
    void aFloorIsKeptWithLittleEffortWherePartitionsDiffer() {
        world.teach(learner, 6_000);

        double[] judged = world.judged(learner.model(1, 0), 0.85);

        assertThat(judged[0]).isGreaterThan(0.85);
        assertThat(judged[1]).isLessThan(0.5);
    }

    @Test
    void whereAllContributeAlikeAllAreAsked() {
        for (int i = 0; i < 3_000; i++) {
            learner.learn(world.next().features(), new double[] {1, 1, 1, 1}, new double[] {5, 5, 5, 5});
        }

        FanOutChoice choice = choose(learner.model(1, 0), world.next(), 0.93);

        assertThat(choice.asked()).isEqualTo(TopicWorld.COMPONENTS);
        assertThat(choice.reason()).isEqualTo(Reason.ALL_NEEDED);
        assertThat(choice.expectedQuality()).isEqualTo(1);
    }

    @Test
    void aComponentThatBecomesUsefulIsFoundAgainWithinTwoThousandQueries() {
        Arrays.fill(world.home, 0);
        world.teach(learner, 6_000);
        assertThat(choose(learner.model(1, 0), world.of(3), 0.85).asked()).containsExactly("a");

        world.home[3] = 3;
        world.teach(learner, 2_000);

        assertThat(learner.model(2, 0).predict(world.of(3).features())[3]).isGreaterThan(0.5);
        assertThat(choose(learner.model(2, 0), world.of(3), 0.85).asked()).contains("d");
    }

    @Test
    void aShiftOfAllTopicsIsFollowed() {
        world.teach(learner, 6_000);
        ContributionModel before = learner.model(1, 0);
        int first = world.home[0];
        System.arraycopy(world.home, 1, world.home, 0, 3);
        world.home[3] = first;
        assertThat(world.judged(before, 0.85)[0]).isLessThan(0.4);

        world.teach(learner, 5_000);

        double[] judged = world.judged(learner.model(2, 0), 0.85);
        assertThat(judged[0]).isGreaterThan(0.8);
    }

    @Test
    void untilPredictionsAreTestedAllAreAsked() {
        world.teach(learner, 20);

        assertThat(choose(learner.model(1, 0), world.next(), 0.5).reason()).isEqualTo(Reason.NOT_CALIBRATED);
    }

    @Test
    void whilePredictionsAreWrongAllAreAsked() {
        Calibration wrong = Calibration.none();
        for (int i = 0; i < 300; i++) {
            wrong.add(0.95, 0.65);
        }
        ContributionModel model = new ContributionModel(
                "search", 1, 0, List.of("a", "b"), new double[] {1, 1}, new double[] {3, 0}, 0, 0, new byte[2], wrong);

        FanOutChoice choice = FanOutChoice.choose(model, new long[] {1}, List.of("a", "b"), NO_PRICE, 0.5);

        assertThat(choice.reason()).isEqualTo(Reason.NOT_CALIBRATED);
        assertThat(choice.asked()).containsExactly("a", "b");
    }

    @Test
    void anyDoubtAsksAll() {
        world.teach(learner, 3_000);
        ContributionModel model = learner.model(1, 0);
        long[] features = world.next().features();
        List<String> all = TopicWorld.COMPONENTS;

        assertThat(FanOutChoice.choose(model, features, List.of("a", "b", "c", "e"), 1, 0.5))
                .isEqualTo(new FanOutChoice(List.of("a", "b", "c", "e"), 1, Reason.OTHER_LAYOUT));
        assertThat(FanOutChoice.choose(model, features, List.of("a", "b", "c"), 1, 0.5)
                        .reason())
                .isEqualTo(Reason.OTHER_LAYOUT);
        assertThat(FanOutChoice.choose(model, features, List.of("a", "a", "b", "c"), 1, 0.5)
                        .reason())
                .isEqualTo(Reason.OTHER_LAYOUT);
        assertThat(FanOutChoice.choose(model, new long[0], all, 1, 0.5).reason())
                .isEqualTo(Reason.NO_FEATURES);
        for (double bad : new double[] {-0.1, 1.1, Double.NaN}) {
            assertThat(FanOutChoice.choose(model, features, all, 1, bad).reason())
                    .isEqualTo(Reason.BAD_SETTING);
        }
        assertThat(FanOutChoice.choose(model, features, all, Double.NaN, 0.5).asked())
                .isEqualTo(all);
    }

    @Test
    void tenThousandFeaturesAreCutToTheFirst64() {
        world.teach(learner, 1_000);
        ContributionModel model = learner.model(1, 0);
        long[] many = new long[10_000];
        Arrays.setAll(many, i -> 1_000 * (1 + i % 4) + i % 200);

        assertThat(model.predict(many)).isEqualTo(model.predict(Arrays.copyOf(many, 64)));
        assertThat(model.predict(many)).isNotEqualTo(model.predict(Arrays.copyOf(many, 63)));
    }

    @ParameterizedTest
    @ValueSource(doubles = {Double.NaN, Double.POSITIVE_INFINITY, -1})
    void badNumbersTeachNothing(double bad) {
        double[] good = {1, 1, 1, 1};

        assertThat(learner.learn(new long[] {1}, new double[] {1, bad, 0, 0}, good))
                .isFalse();
        assertThat(learner.learn(new long[] {1}, good, new double[] {1, bad, 0, 0}))
                .isFalse();
        assertThat(learner.learn(new long[] {1}, new double[3], good)).isFalse();
        assertThat(learner.learn(new long[] {1}, new double[4], good)).isFalse();
        assertThat(learner.learned()).isZero();
    }

    @Test
    void aCalibrationHasTenBins() {
        assertThatThrownBy(() -> new Calibration(new double[10], new double[10], new double[9]))
                .hasMessageContaining("allowed: 10");
    }

    @Test
    void aStaleOrOlderModelOrThatOfAnotherServiceIsRefused() {
        ContributionModel model = learner.model(3, 1_000);

        assertThat(model.refusal("search", 3, 61_000, 60_000)).isEmpty();
        assertThat(model.refusal("search", 3, 61_001, 60_000))
                .hasValueSatisfying(why -> assertThat(why).contains("60001 ms old"));
        assertThat(model.refusal("search", 4, 1_000, 60_000)).isPresent();
        assertThat(model.refusal("shop", 0, 1_000, 60_000)).isPresent();
    }

    @Test
    void moreFloorOrALowerPriceNeverAsksLess() {
        world.teach(learner, 4_000);
        ContributionModel model = learner.model(1, 0);
        for (int i = 0; i < 500; i++) {
            TopicWorld.Query query = world.next();
            List<String> before = List.of();
            for (double floor : new double[] {0, 0.3, 0.6, 0.9, 0.97, 1}) {
                FanOutChoice choice = choose(model, query, floor);
                assertThat(choice.asked()).containsAll(before).isNotEmpty();
                before = choice.asked();
            }
            before = List.of();
            for (double price : new double[] {100, 2, 1, 0.2, 0}) {
                FanOutChoice choice = FanOutChoice.choose(model, query.features(), TopicWorld.COMPONENTS, price, 0);
                assertThat(choice.asked()).containsAll(before);
                before = choice.asked();
            }
            assertThat(before).isEqualTo(TopicWorld.COMPONENTS);
        }
    }

    @Test
    void theModelHoldsAtMost128KiloBytes() {
        List<String> many = new ArrayList<>();
        for (int i = 0; i < 1_000; i++) {
            many.add("c" + i);
        }

        ContributionModel model =
                new ContributionLearner("search", many, ContributionModel.MOST_BYTES, 100).model(1, 0);

        assertThat(model.bytes()).isEqualTo(128_000);
        assertThatThrownBy(() -> new ContributionLearner("search", many, ContributionModel.MOST_BYTES + 1, 100))
                .hasMessageContaining("131072");
    }
}
