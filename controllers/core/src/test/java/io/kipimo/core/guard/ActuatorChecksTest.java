package io.kipimo.core.guard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.kipimo.core.admission.BadValues;
import io.kipimo.schemas.decision.Decision;
import io.kipimo.schemas.decision.DecisionBuilder;
import io.kipimo.schemas.decision.DecisionMode;
import java.util.List;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

class ActuatorChecksTest {
    private static final long NOW = 1_700_000_000_000L;
    private static final ActuatorConfig CONFIG = ActuatorConfig.admission("search/low", 0.5);

    private static Decision decision(long epoch, long sequence, double value, DecisionMode mode) {
        return DecisionBuilder.builder()
                .controller(Decision.ADMISSION)
                .scope("search/low")
                .epoch(epoch)
                .sequence(sequence)
                .issuedAtMillis(NOW)
                .asOfMillis(NOW - 1000)
                .validUntilMillis(NOW + 60_000)
                .value(value)
                .previous(0.5)
                .mode(mode)
                .reason(DecisionReason.SHUT.name())
                .build();
    }

    private static Decision active(long epoch, long sequence, double value) {
        return decision(epoch, sequence, value, DecisionMode.ACTIVE);
    }

    private static Leased<Slew> after(Decision... decisions) {
        Leased<Slew> state = ActuatorChecks.initial(CONFIG);
        for (Decision d : decisions) {
            state = ActuatorChecks.offer(CONFIG, state, d, NOW).state();
        }
        return state;
    }

    private static ActuatorVerdict verdict(Leased<Slew> state, Decision d) {
        ActuatorResult<Slew> result = ActuatorChecks.offer(CONFIG, state, d, NOW);
        if (!result.verdict().isApplied()) {
            assertThat(result.state()).isEqualTo(state);
        }
        return result.verdict();
    }

    @Test
    void aStartAdmitsTheCeilingForAMinuteAndIsThenSafe() {
        Leased<Slew> state = ActuatorChecks.starting(CONFIG, NOW, 0);
        assertThat(ActuatorChecks.fractionInForce(CONFIG, state, NOW + 60_000, 60_000))
                .isEqualTo(1);
        assertThat(ActuatorChecks.fractionInForce(CONFIG, state, NOW + 90_000, 90_000))
                .isEqualTo(0.75);
        assertThat(ActuatorChecks.fractionInForce(CONFIG, state, NOW + 120_000, 120_000))
                .isEqualTo(0.5);
    }

    /** A topic is read from its beginning: of decisions whose lease has ended the last counts. */
    @Test
    void aStartIsSafeWhereControlWasLostWhileItShed() {
        Leased<Slew> state = ActuatorChecks.starting(CONFIG, NOW, NOW);
        long later = NOW + 1_000_000;
        Leased<Slew> start = ActuatorChecks.starting(CONFIG, later, later);
        Leased<Slew> shed =
                ActuatorChecks.offer(CONFIG, start, active(1, 1, 0.3), later).state();
        assertThat(ActuatorChecks.fractionInForce(CONFIG, shed, later)).isEqualTo(0.5);
        Leased<Slew> open =
                ActuatorChecks.offer(CONFIG, shed, active(1, 2, 1), later).state();
        assertThat(ActuatorChecks.fractionInForce(CONFIG, open, later)).isEqualTo(1);
        assertThat(ActuatorChecks.fractionInForce(CONFIG, open, later + 120_000))
                .isEqualTo(0.5);
        Leased<Slew> applied =
                ActuatorChecks.offer(CONFIG, state, active(1, 3, 1), NOW).state();
        assertThat(ActuatorChecks.offer(CONFIG, applied, active(1, 4, 0.3), later)
                        .state())
                .as("after the first decision nothing")
                .isEqualTo(applied);
    }

    /** Else a new installation, which begins in shadow mode, would shed after a minute. */
    @Test
    void inShadowModeTheCeilingIsKeptAsLongAsTheControllerIsThere() {
        Leased<Slew> state = ActuatorChecks.starting(CONFIG, NOW, NOW);
        for (int minute = 0; minute < 10; minute++) {
            long now = NOW + minute * 60_000L;
            Decision shadow = decision(1, minute, 0.1, DecisionMode.SHADOW);
            state = ActuatorChecks.offer(
                            CONFIG,
                            state,
                            DecisionBuilder.builder(shadow)
                                    .issuedAtMillis(now)
                                    .asOfMillis(now)
                                    .validUntilMillis(now + 60_000)
                                    .build(),
                            now)
                    .state();
            assertThat(ActuatorChecks.fractionInForce(CONFIG, state, now + 59_000))
                    .isEqualTo(1);
        }
        assertThat(ActuatorChecks.fractionInForce(CONFIG, state, NOW + 720_000))
                .as("the controller is lost")
                .isEqualTo(0.5);
    }

    @Test
    void withoutADecisionTheSafeFractionIsInForce() {
        assertThat(ActuatorChecks.fractionInForce(CONFIG, ActuatorChecks.initial(CONFIG), NOW, -5_000_000))
                .isEqualTo(0.5);
    }

    @Test
    void aDecisionIsApproachedNoFasterThanTheSlewLimits() {
        Leased<Slew> shut = after(active(1, 1, 0.1));
        assertThat(ActuatorChecks.fractionInForce(CONFIG, shut, NOW)).isEqualTo(0.5);
        assertThat(ActuatorChecks.fractionInForce(CONFIG, shut, NOW + 400)).isEqualTo(0.3, within(1e-12));
        assertThat(ActuatorChecks.fractionInForce(CONFIG, shut, NOW + 1000)).isEqualTo(0.1);
        Leased<Slew> opened = after(active(1, 1, 0.9));
        assertThat(ActuatorChecks.fractionInForce(CONFIG, opened, NOW + 1000)).isEqualTo(0.6, within(1e-12));
    }

    @Test
    void olderEqualAndForeignDecisionsAreRefused() {
        Leased<Slew> state = after(active(3, 5, 0.4));
        assertThat(verdict(state, active(3, 5, 0.9))).isEqualTo(ActuatorVerdict.NOT_NEWER);
        assertThat(verdict(state, active(2, 99, 0.9))).isEqualTo(ActuatorVerdict.NOT_NEWER);
        assertThat(verdict(state, active(4, 1, 0.9))).isEqualTo(ActuatorVerdict.APPLIED);
        assertThat(verdict(state, BadValues.with(active(4, 1, 0.9), "scope", "search/other")))
                .isEqualTo(ActuatorVerdict.OTHER_SCOPE);
        assertThat(verdict(state, BadValues.with(active(4, 1, 0.9), "controller", "sampling")))
                .isEqualTo(ActuatorVerdict.OTHER_CONTROLLER);
    }

    @Test
    void shadowIsNeverAppliedHoldAndManualAre() {
        Leased<Slew> state = after(active(1, 1, 0.4));
        assertThat(verdict(state, decision(1, 2, 0.9, DecisionMode.SHADOW))).isEqualTo(ActuatorVerdict.SHADOW);
        assertThat(verdict(state, decision(1, 2, 0.4, DecisionMode.HOLD))).isEqualTo(ActuatorVerdict.APPLIED);
        assertThat(verdict(state, decision(1, 2, 0.9, DecisionMode.MANUAL))).isEqualTo(ActuatorVerdict.APPLIED);
    }

    @Test
    void expiredAndStaleDecisionsAreRefused() {
        Leased<Slew> state = after();
        Decision d = active(1, 1, 0.4);
        assertThat(ActuatorChecks.offer(CONFIG, state, d, NOW + 60_000).verdict())
                .isEqualTo(ActuatorVerdict.EXPIRED);
        assertThat(verdict(state, BadValues.with(d, "asOfMillis", NOW - 300_001)))
                .isEqualTo(ActuatorVerdict.STALE);
    }

    @Test
    void itsOwnBoundsCut() {
        assertThat(verdict(after(), active(1, 1, 0))).isEqualTo(ActuatorVerdict.APPLIED_WITHIN_BOUNDS);
        assertThat(ActuatorChecks.fractionInForce(CONFIG, after(active(1, 1, 0)), NOW + 5000))
                .isEqualTo(0.01);
    }

    @Test
    void theLeaseEndsAndTheSafeFractionIsApproachedLinearly() {
        Leased<Slew> state = after(active(1, 1, 0.1));
        assertThat(ActuatorChecks.fractionInForce(CONFIG, state, NOW + 60_000)).isEqualTo(0.1);
        assertThat(ActuatorChecks.fractionInForce(CONFIG, state, NOW + 90_000)).isEqualTo(0.3, within(1e-12));
        assertThat(ActuatorChecks.fractionInForce(CONFIG, state, NOW + 120_000)).isEqualTo(0.5);
    }

    @Test
    void theEarlierOfTwoClocksEndsTheLease() {
        Leased<Slew> state = ActuatorChecks.offer(CONFIG, ActuatorChecks.initial(CONFIG), active(1, 1, 0.1), NOW, 7)
                .state();
        // The wall clock was set back by an hour; in fact two minutes have passed.
        assertThat(ActuatorChecks.fractionInForce(CONFIG, state, NOW - 3_600_000, 120_007))
                .isEqualTo(0.5);
        // It was set forward.
        assertThat(ActuatorChecks.fractionInForce(CONFIG, state, NOW + 3_600_000, 2_000))
                .isEqualTo(0.5);
    }

    @Test
    void aLeaseIsNoLongerThanTheActuatorAllows() {
        Decision endless = BadValues.with(active(1, 1, 0.1), "validUntilMillis", NOW + (1L << 50));
        Leased<Slew> state = after(endless);
        assertThat(ActuatorChecks.fractionInForce(CONFIG, state, NOW + 3_600_000 + 60_000))
                .isEqualTo(0.5);
    }

    @Test
    void localWordsAreAboveEveryDecision() {
        Leased<Slew> state = after(active(1, 1, 0.1));
        ActuatorConfig overridden = CONFIG.withOverride(OptionalDouble.of(0.77));
        assertThat(ActuatorChecks.offer(overridden, state, active(1, 2, 0.2), NOW)
                        .verdict())
                .isEqualTo(ActuatorVerdict.OVERRIDDEN);
        assertThat(ActuatorChecks.fractionInForce(overridden, state, NOW)).isEqualTo(0.77);
        ActuatorConfig killed = overridden.withKillSwitch(true);
        assertThat(ActuatorChecks.offer(killed, state, active(1, 2, 0.2), NOW).verdict())
                .isEqualTo(ActuatorVerdict.KILL_SWITCH);
        assertThat(ActuatorChecks.fractionInForce(killed, state, NOW)).isEqualTo(0.5);
    }

    @Test
    void noBadNumberInAnyFieldEverComesIntoForce() {
        List<Decision> bad = BadValues.inEveryNumberOf(active(1, 1, 0.4));
        assertThat(bad).hasSize(9 * 13);
        for (Decision d : bad) {
            for (long now : new long[] {NOW, NOW + 500, NOW + 30_000, NOW + 90_000, 1L << 60}) {
                Leased<Slew> state = ActuatorChecks.offer(CONFIG, ActuatorChecks.initial(CONFIG), d, NOW)
                        .state();
                double inForce = ActuatorChecks.fractionInForce(CONFIG, state, now);
                assertThat(inForce).isFinite().isBetween(0.01, 1.0);
                // The rejected decision does not block the next valid one.
                assertThat(state.epoch()).isLessThan(1L << 53);
            }
        }
    }

    @Test
    void anImpossibleConfigurationIsRejected() {
        assertThatThrownBy(() -> ActuatorConfig.admission("search/low", Double.NaN))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("safe is NaN; allowed: 0.0..1.0");
        int refused = 0;
        for (double bad : new double[] {Double.NaN, -1, 2}) {
            try {
                CONFIG.withOverride(OptionalDouble.of(bad));
            } catch (IllegalArgumentException e) {
                refused++;
            }
        }
        assertThat(refused).isEqualTo(3);
    }
}
