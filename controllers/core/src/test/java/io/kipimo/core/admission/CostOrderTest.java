package io.kipimo.core.admission;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.kipimo.schemas.decision.CostStep;
import io.kipimo.schemas.decision.Decision;
import io.kipimo.schemas.decision.DecisionBuilder;
import io.kipimo.schemas.decision.DecisionMode;
import io.kipimo.schemas.observation.CostCount;
import io.kipimo.schemas.quality.CostDecile;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CostOrderTest {
    private static final Offset<Double> ROUNDING = within(1e-12);

    /** Ten deciles of 100 queries; decile i costs i. */
    private static List<CostDecile> oneToTen() {
        List<CostDecile> deciles = new ArrayList<>();
        for (int i = 1; i <= 10; i++) {
            deciles.add(new CostDecile(i, 100, 100, i));
        }
        return deciles;
    }

    private static double fraction(List<CostStep> steps, int decile) {
        return CostOrder.fraction(decision(0.5, steps), 0.5, decile - 0.5);
    }

    static Decision decision(double value, List<CostStep> steps) {
        return DecisionBuilder.builder()
                .controller(Decision.ADMISSION)
                .scope("search/low")
                .epoch(1)
                .sequence(1)
                .issuedAtMillis(1)
                .asOfMillis(1)
                .validUntilMillis(2)
                .value(value)
                .previous(1)
                .mode(DecisionMode.ACTIVE)
                .reason("SHUT")
                .costOrder(steps)
                .build();
    }

    /**
     * Work is 1 + ... + 10 = 55 a hundred queries, half of it 27.5. A tenth of all takes 5.5; the other nine tenths of
     * deciles 1 to 6 take 18.9, and 3.1 are left for the seventh.
     */
    @Test
    void halfOfTheWorkIsTheCheapestDecilesAndATenthOfTheOthers() {
        List<CostStep> steps = CostOrder.steps(oneToTen(), 0.5, 0.9);

        for (int decile = 1; decile <= 6; decile++) {
            assertThat(fraction(steps, decile)).isEqualTo(1);
        }
        assertThat(fraction(steps, 7)).isCloseTo(0.1 + 3.1 / 7, ROUNDING);
        for (int decile = 8; decile <= 10; decile++) {
            assertThat(fraction(steps, decile)).isCloseTo(0.1, ROUNDING);
        }
        assertThat(CostOrder.fraction(decision(0.5, steps), 0.5, 1e9)).isCloseTo(0.1, ROUNDING);
    }

    @Test
    void aFractionBelowTheFairShareIsForAllAlike() {
        assertThat(CostOrder.steps(oneToTen(), 0.1, 0.9)).isEmpty();
        assertThat(CostOrder.steps(oneToTen(), 0.05, 0.9)).isEmpty();
        assertThat(CostOrder.steps(oneToTen(), 0, 1)).isEmpty();
    }

    @Test
    void allAreAdmittedAlike() {
        assertThat(CostOrder.steps(oneToTen(), 1, 0.9)).isEmpty();
        assertThat(CostOrder.steps(oneToTen(), 0.5, 0)).isEmpty();
        assertThat(CostOrder.steps(oneToTen(), Double.NaN, 0.9)).isEmpty();
        assertThat(CostOrder.steps(oneToTen(), 0.5, Double.NaN)).isEmpty();
    }

    @Test
    void predictionsThatAreTheOppositeOfTheCostOrderNothing() {
        List<CostDecile> reversed = new ArrayList<>();
        for (int i = 1; i <= 10; i++) {
            reversed.add(new CostDecile(i, 100, 100, 11 - i));
        }
        assertThat(CostOrder.steps(reversed, 0.5, 0.9)).isEmpty();
        assertThat(CostOrder.steps(List.of(), 0.5, 0.9)).isEmpty();
        assertThat(CostOrder.steps(oneToTen().subList(0, 1), 0.5, 0.9)).isEmpty();
    }

    /** Deciles 4 to 6 cost 6, 5 and 4: together 5, between their neighbours. */
    @Test
    void decilesOutOfOrderShareAFraction() {
        List<CostDecile> deciles = oneToTen();
        deciles.set(3, new CostDecile(4, 100, 100, 6));
        deciles.set(5, new CostDecile(6, 100, 100, 4));
        List<CostStep> steps = CostOrder.steps(deciles, 0.3, 1);

        // 16.5 of 55: deciles 1 to 3 take 6, and 10.5 are left for the 15 of deciles 4 to 6.
        assertThat(fraction(steps, 3)).isEqualTo(1);
        for (int decile = 4; decile <= 6; decile++) {
            assertThat(fraction(steps, decile)).isCloseTo(0.7, ROUNDING);
        }
        assertThat(fraction(steps, 7)).isZero();
    }

    @Test
    void withoutEnoughAnswersOfADecileItsWorkIsUnknown() {
        List<CostDecile> deciles = oneToTen();
        deciles.set(9, new CostDecile(10, 100, CostOrder.LEAST_ANSWERS - 1, 10));
        assertThat(CostOrder.steps(deciles, 0.5, 0.9)).isEmpty();
        for (double impossible : new double[] {0, -1, Double.NaN, Double.POSITIVE_INFINITY}) {
            deciles.set(9, new CostDecile(10, 100, 100, impossible));
            assertThat(CostOrder.steps(deciles, 0.5, 0.9)).isEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(doubles = {0, -1, Double.NaN, Double.POSITIVE_INFINITY})
    void anUnknownCostIsAdmittedLikeTheWhole(double cost) {
        List<CostStep> steps = CostOrder.steps(oneToTen(), 0.5, 0.9);
        assertThat(CostOrder.fraction(decision(0.5, steps), 0.5, cost)).isEqualTo(0.5);
    }

    @Test
    void whileTheDecidedFractionIsNotInForceAllCostsAreAlike() {
        List<CostStep> steps = CostOrder.steps(oneToTen(), 0.5, 0.9);
        assertThat(CostOrder.fraction(decision(0.5, steps), 0.6, 0.5)).isEqualTo(0.6);
        assertThat(CostOrder.fraction(decision(0.5, List.of()), 0.5, 0.5)).isEqualTo(0.5);
    }

    @Test
    void binsAreFourForEachPowerOfTwoAndBounded() {
        assertThat(CostBins.of(1)).isZero();
        assertThat(CostBins.of(2)).isEqualTo(4);
        assertThat(CostBins.of(0.5)).isEqualTo(-4);
        assertThat(CostBins.of(1.5)).isEqualTo(2);
        assertThat(CostBins.upTo(2)).isCloseTo(Math.pow(2, 0.75), ROUNDING);
        assertThat(CostBins.of(Double.MIN_VALUE)).isEqualTo(CostCount.LEAST_BIN);
        assertThat(CostBins.of(Double.MAX_VALUE)).isEqualTo(CostCount.GREATEST_BIN);
    }

    /** The bins of the second decile were answered at 100 % and 10 %, their work is that of equals. */
    @Test
    void aDecileWeighsItsBinsByWhatWasOffered() {
        List<CostDecile> deciles = CostDeciles.of(Map.of(
                0, new CostTally(900, 900, 900),
                4, new CostTally(50, 50, 100),
                8, new CostTally(50, 5, 20)));
        assertThat(deciles)
                .containsExactly(
                        new CostDecile(CostBins.upTo(0), 900, 900, 1), new CostDecile(CostBins.upTo(8), 100, 55, 3));
    }
}
