package io.kipimo.core.guard;

import static org.assertj.core.api.Assertions.assertThat;

import io.kipimo.schemas.decision.DecisionMode;
import io.kipimo.schemas.policy.ManualOverride;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests each guard alone, around a controller that requests one value. */
class GuardsTest {
    private static final long NOW = 1_000_000;

    private static ControlLaw<String> wish(double value) {
        return (state, now) -> new ControlOutput<>("after", value, DecisionMode.ACTIVE, DecisionReason.OPENED);
    }

    private static ControlOutput<String> decide(
            Guard<String> guard, ControlLaw<String> law, String state, ControlInput input) {
        return guard.decide(state, input, law);
    }

    private static ControlInput at(double measured, double low, double newest) {
        return at(measured, low, newest, 1);
    }

    private static ControlInput at(double measured, double low, double newest, double measurable) {
        return ControlInputBuilder.builder()
                .inForce(0.5)
                .measured(measured)
                .low(low * measurable)
                .lowOfMeasurable(low)
                .high(1)
                .bestByTimeOuts(1)
                .objective(0.9)
                .newest(newest)
                .measurableShare(measurable)
                .samples(20)
                .ratePerSecond(1)
                .stepSamples(20)
                .inputSinceMillis(NOW - 50_000)
                .asOfMillis(NOW)
                .stepStartMillis(NOW - 10_000)
                .stepMillis(10_000)
                .lastMove(LastMove.NEVER)
                .nowMillis(NOW)
                .build();
    }

    private static final ControlInput GOOD = at(0.95, 0.94, 0.95);

    private static void holds(ControlOutput<String> outcome, DecisionReason reason) {
        assertThat(outcome.reason()).isEqualTo(reason);
        assertThat(outcome.value()).isEqualTo(0.5);
        assertThat(outcome.mode()).isEqualTo(DecisionMode.HOLD);
    }

    private static void passes(ControlOutput<String> outcome) {
        assertThat(outcome).isEqualTo(new ControlOutput<>("after", 0.7, DecisionMode.ACTIVE, DecisionReason.OPENED));
    }

    @Test
    void minimumMeasurable() {
        ControlInput half = at(0.95, 0.94, 0.95, 0.5);
        ControlInput less = at(0.95, 0.94, 0.95, 0.49);

        passes(decide(Guards.minimumMeasurable(0.5), wish(0.7), "", half));
        holds(decide(Guards.minimumMeasurable(0.5), wish(0.7), "", less), DecisionReason.HELD_NOT_MEASURABLE);
        holds(decide(Guards.minimumMeasurable(0.5), wish(0.3), "", less), DecisionReason.HELD_NOT_MEASURABLE);
    }

    /** With 95 % measurable, 0.94 gives 0.893, below the objective of 0.9. With 98 % it gives 0.921. */
    @Test
    void opensOnlyIfTheUnmeasurableMayBeWorthNothing() {
        ControlInput some = at(0.95, 0.94, 0.94, 0.95);
        ControlInput few = at(0.95, 0.94, 0.94, 0.98);

        holds(decide(Guards.raiseOnMeasurable(), wish(0.7), "", some), DecisionReason.HELD_PARTLY_MEASURABLE);
        holds(decide(Guards.raiseAboveLowerBound(), wish(0.7), "", some), DecisionReason.HELD_PARTLY_MEASURABLE);
        passes(decide(Guards.raiseOnMeasurable(), wish(0.7), "", few));
        passes(decide(Guards.raiseAboveLowerBound(), wish(0.7), "", few));
        assertThat(decide(Guards.raiseOnMeasurable(), wish(0.3), "", some).value())
                .as("lowering is not held")
                .isEqualTo(0.3);
    }

    @Test
    void minimumSamples() {
        holds(decide(Guards.minimumSamples(21), wish(0.7), "", GOOD), DecisionReason.HELD_TOO_FEW_SAMPLES);
        passes(decide(Guards.minimumSamples(20), wish(0.7), "", GOOD));
    }

    /** 0.8 is below the objective of 0.9 by 0.1. */
    @ParameterizedTest
    @CsvSource({"0.89, 0.09, true", "0.91, 0.09, false", "0.89, 0.11, false"})
    void fewSamplesHoldNothingThatCountsShow(double high, double chance, boolean isShown) {
        ControlInput bad = ControlInputBuilder.builder(at(0.8, 0.7, 0.8))
                .high(high)
                .chance(chance)
                .build();

        ControlOutput<String> outcome = decide(Guards.minimumSamples(21), wish(0.3), "", bad);

        assertThat(outcome.value()).isEqualTo(isShown ? 0.3 : 0.5);
    }

    @Test
    void minimumRate() {
        holds(decide(Guards.minimumRate(1.1), wish(0.7), "", GOOD), DecisionReason.HELD_RATE_TOO_LOW);
        passes(decide(Guards.minimumRate(1), wish(0.7), "", GOOD));
    }

    @Test
    void fullWindow() {
        holds(decide(Guards.fullWindow(50_001), wish(0.7), "", GOOD), DecisionReason.HELD_WINDOW_NOT_FULL);
        passes(decide(Guards.fullWindow(50_000), wish(0.7), "", GOOD));
    }

    @Test
    void deadBandTakesAtMostHalfOfTheDistanceToOne() {
        holds(decide(Guards.deadBand(0.06), wish(0.7), "", at(0.94, 0.94, 0.94)), DecisionReason.WITHIN_DEAD_BAND);
        passes(decide(Guards.deadBand(0.06), wish(0.7), "", at(0.951, 0.95, 0.951)));
        holds(decide(Guards.deadBand(0.06), wish(0.7), "", at(0.86, 0.8, 0.86)), DecisionReason.WITHIN_DEAD_BAND);
    }

    @Test
    void openOnLowEndKeepsTheStateBetweenMeanAndLowEnd() {
        ControlOutput<String> between =
                decide(Guards.raiseAboveLowerBound(), wish(0.7), "before", at(0.95, 0.89, 0.95));
        holds(between, DecisionReason.HELD_INTERVAL_TOO_WIDE);
        assertThat(between.state()).isEqualTo("before");
        ControlOutput<String> below = decide(Guards.raiseAboveLowerBound(), wish(0.7), "before", at(0.8, 0.79, 0.8));
        holds(below, DecisionReason.HELD_RECOVERING);
        assertThat(below.state()).isEqualTo("after");
        passes(decide(Guards.raiseAboveLowerBound(), wish(0.7), "", GOOD));
    }

    @Test
    void shutOnMean() {
        holds(decide(Guards.lowerOnEvidence(), wish(0.3), "", GOOD), DecisionReason.HELD_ABOVE_OBJECTIVE);
        ControlInput below = at(0.8, 0.7, 0.8);
        holds(decide(Guards.lowerOnEvidence(), wish(0.3), "", below), DecisionReason.HELD_NOT_SHOWN);
        holds(
                decide(
                        Guards.lowerOnEvidence(),
                        wish(0.3),
                        "",
                        ControlInputBuilder.builder(below).expired(11).build()),
                DecisionReason.HELD_NOT_KNOWN);
        ControlInput late =
                ControlInputBuilder.builder(below).bestByTimeOuts(0.89).build();
        assertThat(decide(Guards.lowerOnEvidence(), wish(0.3), "", late).value())
                .isEqualTo(0.3);
        ControlInput bad = ControlInputBuilder.builder(below).high(0.89).build();
        assertThat(decide(Guards.lowerOnEvidence(), wish(0.3), "", bad).value()).isEqualTo(0.3);
    }

    @Test
    void agreement() {
        holds(decide(Guards.consistentTrend(), wish(0.7), "", at(0.95, 0.94, 0.85)), DecisionReason.HELD_DISAGREEING);
        holds(decide(Guards.consistentTrend(), wish(0.3), "", at(0.85, 0.84, 0.95)), DecisionReason.HELD_DISAGREEING);
        passes(decide(Guards.consistentTrend(), wish(0.7), "", GOOD));
    }

    @ParameterizedTest
    @ValueSource(doubles = {Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY})
    void boundsHoldOnNonFiniteValues(double wish) {
        holds(decide(Guards.bounds(0.1, 1), wish(wish), "", GOOD), DecisionReason.HELD_IMPOSSIBLE_VALUE);
    }

    @Test
    void boundsCutAndKnowNoNegativeZero() {
        assertThat(decide(Guards.bounds(0.1, 0.8), wish(0.9), "", GOOD).value()).isEqualTo(0.8);
        assertThat(Bounds.clamp(-0.0, -0.0, 1)).isEqualTo(0.0);
    }

    @Test
    void shadowOverrideAndKillSwitch() {
        ManualOverride word = new ManualOverride(0.2, NOW + 1, "ops", "test");
        List<Guard<String>> guards =
                List.of(Guards.killSwitch(false, 0.4), Guards.override(Optional.of(word)), Guards.shadow(true));
        List<Guard<String>> killed = List.of(Guards.killSwitch(true, 0.4), guards.get(1), guards.get(2));

        assertThat(decide(guards.get(2), wish(0.7), "", GOOD).mode()).isEqualTo(DecisionMode.SHADOW);
        assertThat(Guard.around(guards, wish(0.7)).decide("", GOOD))
                .isEqualTo(new ControlOutput<>("", 0.2, DecisionMode.MANUAL, DecisionReason.OVERRIDE));
        assertThat(Guard.around(killed, wish(0.7)).decide("", GOOD))
                .isEqualTo(new ControlOutput<>("", 0.4, DecisionMode.MANUAL, DecisionReason.KILL_SWITCH));
        assertThat(decide(guards.get(0), wish(0.7), "", GOOD).value()).isEqualTo(0.7);
    }

    @Test
    void whileAnotherControllerHoldsTheLockNothingRisesButAllMayFall() {
        passes(decide(Guards.exclusiveActuation(true), wish(0.7), "", GOOD));
        holds(decide(Guards.exclusiveActuation(false), wish(0.7), "", GOOD), DecisionReason.HELD_AWAITING_TURN);
        assertThat(decide(Guards.exclusiveActuation(false), wish(0.3), "", GOOD).value())
                .isEqualTo(0.3);
    }

    /**
     * Both guards hold: too few samples, and step and average disagree. The reason comes from the first guard in the
     * list.
     */
    @Test
    void theFirstGuardOfTheListThatHoldsGivesTheReason() {
        Guard<String> samples = Guards.minimumSamples(21);
        Guard<String> trend = Guards.consistentTrend();
        ControlInput both = at(0.95, 0.94, 0.85);

        holds(Guard.around(List.of(samples, trend), wish(0.7)).decide("", both), DecisionReason.HELD_TOO_FEW_SAMPLES);
        holds(Guard.around(List.of(trend, samples), wish(0.7)).decide("", both), DecisionReason.HELD_DISAGREEING);
    }

    @Test
    void leaseRunsOutLinearly() {
        assertThat(Leased.fractionAt(0.2, 0.6, 0, 100)).isEqualTo(0.2);
        assertThat(Leased.fractionAt(0.2, 0.6, 50, 100)).isEqualTo(0.4);
        assertThat(Leased.fractionAt(0.2, 0.6, 1, 0)).isEqualTo(0.6);
    }
}
