package io.kipimo.core.admission;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.kipimo.core.guard.DecisionReason;
import io.kipimo.core.guard.Guards;
import io.kipimo.core.guard.PolicyCheck;
import io.kipimo.core.guard.Step;
import io.kipimo.schemas.decision.Decision;
import io.kipimo.schemas.decision.DecisionMode;
import io.kipimo.schemas.policy.AdmissionPolicy;
import io.kipimo.schemas.policy.ClassPolicy;
import io.kipimo.schemas.policy.ControllerKind;
import io.kipimo.schemas.policy.ManualOverride;
import io.kipimo.schemas.policy.Policy;
import io.kipimo.schemas.policy.Signal;
import io.kipimo.schemas.quality.ComponentAttribution;
import io.kipimo.schemas.quality.Estimate;
import io.kipimo.schemas.quality.QualityWindow;
import io.kipimo.schemas.quality.WindowKind;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class AdmissionLoopTest {
    private static final long WINDOW = 3 * SampleWindows.PERIOD;
    private static final AdmissionLoop LOOP = new AdmissionLoop();
    private static final Policy POLICY = SampleWindows.policy(SampleWindows.pid(), WINDOW);

    /** A loop in virtual time; one period a call. */
    private static final class Site {
        private AdmissionState state = SampleWindows.safely();
        private long now = SampleWindows.START;
        private List<Decision> last = List.of();
        private final List<Decision> all = new ArrayList<>();

        Site step(Policy policy, QualityWindow batch) {
            take(LOOP.step(state, batch, SampleWindows.at(policy, now)));
            return this;
        }

        Site quality(Policy policy, double quality, int periods) {
            for (int i = 0; i < periods; i++) {
                now += SampleWindows.PERIOD;
                step(policy, SampleWindows.batch(quality, now));
            }
            return this;
        }

        /** Quality is 0.85 - 0.8 of what is open: shedding helps, but the objective is never reached. */
        Site overload(Policy policy, int periods) {
            for (int i = 0; i < periods; i++) {
                now += SampleWindows.PERIOD;
                double open = last.stream()
                        .filter(d -> !d.scope().endsWith("/high"))
                        .mapToDouble(Decision::value)
                        .average()
                        .orElse(0.5);
                double quality = 0.85 - 0.8 * open;
                step(
                        policy,
                        SampleWindows.batch(quality, now).toBuilder()
                                .timedOut(Math.round(100 * (1 - quality)))
                                .build());
            }
            return this;
        }

        /** Answers are whole up to an opening, and beyond it 0.8 of them at the most. */
        Site carrying(double opening, int periods) {
            for (int i = 0; i < periods; i++) {
                now += SampleWindows.PERIOD;
                double quality = low() <= opening ? 1 : 0.8 * Math.pow(opening / low(), 2);
                step(
                        POLICY,
                        SampleWindows.batch(quality, now).toBuilder()
                                .timedOut(Math.round(100 * (1 - quality)))
                                .build());
            }
            return this;
        }

        Site heartbeat(Policy policy, int periods) {
            for (int i = 0; i < periods; i++) {
                now += SampleWindows.PERIOD;
                take(LOOP.heartbeat(state, SampleWindows.at(policy, 1, now)));
            }
            return this;
        }

        private void take(Step<AdmissionState, Decision> step) {
            state = step.next();
            last = step.decisions();
            all.addAll(last);
            last.forEach(ValidDecisions::check);
        }

        Decision of(String queryClass) {
            return last.stream()
                    .filter(d -> d.scope().equals("search/" + queryClass))
                    .findFirst()
                    .orElseThrow();
        }

        double low() {
            return of("low").value();
        }
    }

    private static Policy with(ManualOverride word) {
        ClassPolicy low = SampleWindows.low("low", 1);
        return SampleWindows.policy(
                SampleWindows.pid(),
                WINDOW,
                List.of(
                        SampleWindows.high(),
                        low.toBuilder().override(Optional.of(word)).build()),
                false);
    }

    @Test
    void beforeTheFirstFullWindowTheSafeFractionIsHeld() {
        Site site = new Site().quality(POLICY, 1, 2);
        assertThat(site.of("low").reason()).isEqualTo(DecisionReason.HELD_WINDOW_NOT_FULL.name());
        assertThat(site.of("low").mode()).isEqualTo(DecisionMode.HOLD);
        assertThat(site.low()).isEqualTo(0.5);
    }

    @Test
    void theFirstFullWindowTakesItsBearingsAndTheNextOneOpens() {
        Site site = new Site().quality(POLICY, 0.94, 3);
        assertThat(site.of("low").reason()).isEqualTo(DecisionReason.FIRST_WINDOW.name());
        assertThat(site.low()).isEqualTo(0.5);
        site.quality(POLICY, 1, 1);
        assertThat(site.of("low").reason()).isEqualTo(DecisionReason.OPENED.name());
        assertThat(site.low()).isGreaterThan(0.5);
    }

    @Test
    void theHighestClassIsNeverShed() {
        Site site = new Site().quality(POLICY, 0.2, 20);
        assertThat(site.of("high").value()).isEqualTo(1);
        assertThat(site.of("high").reason()).isEqualTo(DecisionReason.PROTECTED.name());
    }

    @Test
    void shutsToTheFloorAndNoFurther() {
        Site site = new Site().overload(POLICY, 40);
        assertThat(site.low()).isEqualTo(0.05, within(1e-12));
        assertThat(site.of("low").reason()).isEqualTo(DecisionReason.AT_FLOOR.name());
    }

    /** Whatever is shed, quality stays as it is. */
    @Test
    void sheddingThatDoesNotHelpIsTakenBackAndSaysSo() {
        Site site = new Site();
        site.state = AdmissionState.initial();
        site.quality(POLICY, 1, 5).quality(POLICY, 0.7, 10);
        assertThat(site.low()).isEqualTo(1);
        assertThat(site.of("low").reason()).isEqualTo(DecisionReason.SHEDDING_DOES_NOT_HELP.name());
        assertThat(site.all).anyMatch(d -> d.value() < 1);
        site.overload(POLICY, 5);
        assertThat(site.low()).as("far worse than what was found").isLessThan(0.5);
    }

    /** One of four components is dead: what that costs is unknown, and no shedding brings its results. */
    @Test
    void nothingIsShedForAComponentThatAnswersNothingUnlessTheOthersAreLate() {
        Site site = new Site();
        site.state = AdmissionState.initial();
        site.quality(POLICY, 1, 5);
        for (int i = 0; i < 30; i++) {
            site.now += SampleWindows.PERIOD;
            site.step(POLICY, oneDead(site.now, 0));
            site.take(LOOP.heartbeat(site.state, SampleWindows.at(POLICY, site.now)));
        }
        assertThat(site.low()).isEqualTo(1);
        assertThat(site.of("low").reason()).isEqualTo(DecisionReason.SHEDDING_DOES_NOT_HELP.name());
        site.now += SampleWindows.PERIOD;
        site.step(POLICY, oneDead(site.now, 40));
        assertThat(site.low()).isLessThan(0.8);
        assertThat(site.of("low").reason()).isEqualTo(DecisionReason.SHUT.name());
        site.now += SampleWindows.PERIOD;
        site.step(POLICY, oneDead(site.now, 0));
        assertThat(site.low())
                .as("the others are in time again")
                .isGreaterThan(site.of("low").previous());
    }

    private static QualityWindow oneDead(long endMillis, long late) {
        Optional<Estimate> unknown = Optional.of(new Estimate(0, 0, 1));
        return SampleWindows.batch(endMillis, unknown, unknown, 100, 100, 30, 30).toBuilder()
                .components(List.of(
                        new ComponentAttribution("dead", 100, 100, 0),
                        new ComponentAttribution("a", 100, late, 0),
                        new ComponentAttribution("b", 100, late, 0),
                        new ComponentAttribution("c", 100, late, 0)))
                .build();
    }

    /** At an objective of 0.9 the loop gain is 2 x (2 kp + ki period): 1.5 and 40. */
    @Test
    void gainsThatOscillateNearTheObjectiveAreWarnedOf() {
        AdmissionPolicy usual = AdmissionPolicy.DEFAULT;
        assertThat(PolicyCheck.warnings(SampleWindows.policy(usual, WINDOW))).isEmpty();
        AdmissionPolicy great =
                usual.toBuilder().kp(4).ki(0.08).periodMillis(150_000).build();
        assertThat(PolicyCheck.warnings(SampleWindows.policy(great, WINDOW)))
                .singleElement()
                .asString()
                .contains("admission.kp is 4.0", "40.0");
    }

    @Test
    void classesOfOnePriorityAreShedAlike() {
        Policy two = SampleWindows.policy(
                SampleWindows.pid(),
                WINDOW,
                List.of(SampleWindows.high(), SampleWindows.low("a", 1), SampleWindows.low("b", 1)),
                false);
        Site site = new Site();
        site.state = AdmissionLoop.learn(AdmissionState.initial(), "a", 0.3, site.now);
        for (int i = 0; i < 10; i++) {
            site.overload(two, 1);
            assertThat(site.of("b").value()).isGreaterThanOrEqualTo(site.of("a").value() - 1e-9);
        }
        assertThat(site.of("b").value()).isEqualTo(site.of("a").value(), within(1e-9));
    }

    /** The lowest class has no queries, or was never heard of: the step is of the other's load. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aClassWithoutTrafficTakesNoPartInAStepAndIsOpenedWithTheOthers(boolean isHeardOf) {
        Policy with = SampleWindows.policy(
                SampleWindows.pid(),
                WINDOW,
                List.of(SampleWindows.high(), SampleWindows.low("low", 1), SampleWindows.low("idle", 2)),
                false);
        double alone = overloadedOnce(POLICY, false).low();
        Site site = overloadedOnce(with, isHeardOf);
        assertThat(alone).isLessThan(0.9);
        assertThat(site.low()).isEqualTo(alone, within(0.001));
        site.quality(with, 1, 10);
        assertThat(site.low()).isEqualTo(1);
        assertThat(site.of("idle").value()).isEqualTo(1);
    }

    private static Site overloadedOnce(Policy policy, boolean isHeardOf) {
        Site site = new Site();
        site.state = AdmissionState.initial();
        site.quality(policy, 1, 10);
        site.step(policy, offered("low", 900, site.now));
        if (isHeardOf) {
            site.step(policy, offered("idle", 0, site.now));
        }
        return site.quality(policy, 0.7, 1);
    }

    private static QualityWindow offered(String queryClass, long queries, long endMillis) {
        return SampleWindows.batch(1, endMillis).toBuilder()
                .queryClass(queryClass)
                .offered(queries)
                .rejected(0)
                .build();
    }

    /** A front end's clock is half a minute fast: its windows steer. It is slow: they are too old, as a backlog's. */
    @Test
    void clocksThatAreOffByHalfAMinuteSteerOrSayThatWindowsAreOld() {
        Site fast = new Site().quality(POLICY, 1, 10);
        fast.step(POLICY, SampleWindows.batch(0.5, fast.now + 30_000));
        assertThat(fast.of("low").reason()).isEqualTo(DecisionReason.SHUT.name());
        Site slow = new Site().quality(POLICY, 1, 10);
        slow.now += SampleWindows.PERIOD;
        long end = slow.now;
        slow.now += 30_001;
        slow.step(POLICY, SampleWindows.batch(0.5, end));
        assertThat(slow.last).isEmpty();
        assertThat(slow.state.reason()).isEqualTo(DecisionReason.HELD_CATCHING_UP);
        assertThat(slow.state.reason().sentence()).contains("a clock is slow");
    }

    @Test
    void opensOnlyOnTheLowEnd() {
        Site site = new Site().quality(POLICY, 0.94, 3);
        double before = site.low();
        site.now += SampleWindows.PERIOD;
        site.step(
                POLICY,
                SampleWindows.batch(
                        site.now,
                        Optional.of(new Estimate(0.85, 0.95, 1)),
                        Optional.of(new Estimate(0.85, 0.95, 1)),
                        100,
                        20,
                        30,
                        0));
        assertThat(site.low()).isEqualTo(before);
        assertThat(site.of("low").reason())
                .isIn(DecisionReason.HELD_INTERVAL_TOO_WIDE.name(), DecisionReason.UNCHANGED.name());
    }

    @Test
    void shutsOnAWideIntervalOnlyIfTheTimeOutsSayThatQualityIsBad() {
        Optional<Estimate> wide = Optional.of(new Estimate(0.4, 0.8, 1));
        Site site = new Site().quality(POLICY, 0.94, 3);
        site.now += SampleWindows.PERIOD;
        site.step(POLICY, SampleWindows.batch(site.now, wide, wide, 100, 10, 30, 0));
        assertThat(site.low()).as("10 % x 0.4 lost").isEqualTo(0.5);
        assertThat(site.of("low").reason()).isEqualTo(DecisionReason.HELD_NOT_SHOWN.name());

        site.now += SampleWindows.PERIOD;
        site.step(POLICY, SampleWindows.batch(site.now, wide, wide, 100, 60, 30, 0));
        assertThat(site.low()).as("60 % x 0.4 lost").isLessThan(0.5);
        assertThat(site.of("low").reason()).isEqualTo(DecisionReason.SHUT.name());
    }

    /** One node of an engine is dead: every answer lacks its part, and nobody knows what that is. */
    @ParameterizedTest
    @EnumSource(ControllerKind.class)
    void whatIsNotKnownShedsNothingAndGoesToTheSafeFractionAfterTheLease(ControllerKind kind) {
        Policy policy = SampleWindows.policy(SampleWindows.admission(kind, Signal.QUALITY), WINDOW);
        Site site = new Site().quality(policy, 1, 60);
        double open = site.low();
        Optional<Estimate> unknown = Optional.of(new Estimate(0, 0, 1));
        for (int i = 0; i < 5; i++) {
            site.now += SampleWindows.PERIOD;
            site.step(policy, SampleWindows.batch(site.now, unknown, unknown, 100, 100, 30, 30));
            assertThat(site.low()).isEqualTo(open);
        }
        if (kind == ControllerKind.NO_CONTROL) {
            return;
        }
        assertThat(site.of("low").reason()).isEqualTo(DecisionReason.HELD_NOT_KNOWN.name());
        for (int i = 0; i < 15; i++) {
            site.now += SampleWindows.PERIOD;
            site.step(policy, SampleWindows.batch(site.now, unknown, unknown, 100, 100, 30, 30));
            site.take(LOOP.heartbeat(site.state, SampleWindows.at(policy, site.now)));
        }
        assertThat(site.low()).isEqualTo(0.5);
        assertThat(site.of("low").reason()).isEqualTo(DecisionReason.SAFE_FALLBACK.name());
    }

    @Test
    void beginsByAdmittingEverythingAndShedsNothingWithoutACause() {
        Site site = new Site();
        site.state = AdmissionState.initial();
        site.heartbeat(POLICY, 2);
        assertThat(site.low()).isEqualTo(1);
        assertThat(site.of("low").reason()).isEqualTo(DecisionReason.HELD_NO_INPUT.name());
        for (int i = 0; i < 12; i++) {
            site.now += SampleWindows.PERIOD;
            site.step(POLICY, unmeasured(site.now, 1));
            site.take(LOOP.heartbeat(site.state, SampleWindows.at(POLICY, site.now)));
            assertThat(site.low()).isEqualTo(1);
        }
    }

    /** A loop that waits for hours for its service, or for its first query, has no cause to shed. */
    @Test
    void waitsForTheFirstQueryWithEverythingAdmitted() {
        Site site = new Site();
        site.state = AdmissionState.initial();
        site.heartbeat(POLICY, 100);
        assertThat(site.low()).isEqualTo(1);
        assertThat(site.of("low").reason()).isEqualTo(DecisionReason.HELD_NO_INPUT.name());
        idle(site, POLICY, 100);
        assertThat(site.low()).isEqualTo(1);
        assertThat(site.of("low").reason()).isEqualTo(DecisionReason.HELD_IDLE.name());
        assertThat(site.of("low").asOfMillis())
                .as("no actuator refuses it as stale")
                .isEqualTo(site.now);
    }

    @Test
    void idlenessShedsNothingButAfterTheLeaseNoLessThanTheSafeFractionIsAdmitted() {
        Site site = new Site().quality(POLICY, 1, 20);
        assertThat(site.low()).isEqualTo(1);
        idle(site, POLICY, 100);
        assertThat(site.low()).isEqualTo(1);
        site.overload(POLICY, 20);
        assertThat(site.low()).isEqualTo(0.05, within(1e-12));
        idle(site, POLICY, 100);
        assertThat(site.low()).isEqualTo(0.5);
        assertThat(site.of("low").reason()).isEqualTo(DecisionReason.HELD_IDLE.name());
    }

    /** One query a minute: most batches have none. */
    @Test
    void hardlyAnyQueriesShedNothing() {
        Site site = new Site().quality(POLICY, 1, 20);
        for (int i = 0; i < 20; i++) {
            idle(site, POLICY, 5);
            site.now += SampleWindows.PERIOD;
            site.step(POLICY, counts(site.now, 1, 1));
            site.take(LOOP.heartbeat(site.state, SampleWindows.at(POLICY, site.now)));
            assertThat(site.low()).isEqualTo(1);
        }
    }

    /** Of queries that are not answered nothing is known: that is no idleness. */
    @Test
    void queriesWithoutAnswersAreNoIdleness() {
        Site site = new Site().quality(POLICY, 1, 20);
        for (int i = 0; i < 20; i++) {
            site.now += SampleWindows.PERIOD;
            site.step(POLICY, counts(site.now, 100, 0));
            site.take(LOOP.heartbeat(site.state, SampleWindows.at(POLICY, site.now)));
        }
        assertThat(site.low()).isEqualTo(0.5);
        assertThat(site.of("low").reason()).isEqualTo(DecisionReason.SAFE_FALLBACK.name());
    }

    @Test
    void overloadRightAfterIdlenessBringsTheSafeFraction() {
        Site site = new Site().quality(POLICY, 1, 20);
        idle(site, POLICY, 30);
        site.now += SampleWindows.PERIOD;
        site.step(POLICY, unmeasured(site.now, 60));
        assertThat(site.of("low").reason()).isEqualTo(DecisionReason.START_OVERLOADED.name());
        assertThat(site.low()).isEqualTo(0.5);
    }

    private static void idle(Site site, Policy policy, int periods) {
        for (int i = 0; i < periods; i++) {
            site.now += SampleWindows.PERIOD;
            site.step(policy, counts(site.now, 0, 0));
            site.take(LOOP.heartbeat(site.state, SampleWindows.at(policy, site.now)));
        }
    }

    /** A batch without measurements. */
    private static QualityWindow counts(long endMillis, long offered, long answered) {
        return SampleWindows.batch(endMillis, Optional.empty(), Optional.empty(), answered, 0, 0, 0).toBuilder()
                .offered(offered)
                .build();
    }

    @Test
    void beginsWithTheSafeFractionOnceTimeOutsShowOverload() {
        Site site = new Site();
        site.state = AdmissionState.initial();
        site.heartbeat(POLICY, 1);
        site.now += SampleWindows.PERIOD;
        site.step(POLICY, unmeasured(site.now, 60));
        assertThat(site.low()).isEqualTo(0.5);
        assertThat(site.of("low").reason()).isEqualTo(DecisionReason.START_OVERLOADED.name());
        site.now += SampleWindows.PERIOD;
        site.step(POLICY, unmeasured(site.now, 60));
        assertThat(site.low()).as("no further than the safe fraction").isEqualTo(0.5);
    }

    @Test
    void anUnloadedServiceAdmitsEverythingWithinAMinuteOfItsFirstProofAndNeedsNoSamples() {
        Site site = new Site();
        for (int i = 0; i < 6; i++) {
            site.now += SampleWindows.PERIOD;
            site.step(POLICY, unmeasured(site.now, 1));
        }
        assertThat(site.low()).isEqualTo(1);
    }

    private static QualityWindow unmeasured(long end, long timedOut) {
        return SampleWindows.window(
                WindowKind.BATCH, end, Optional.empty(), Optional.empty(), 100, timedOut, 0, 0, 0, Optional.empty());
    }

    @Test
    void measurementIsTheCurrentBatchAtItsWeightAndTheAverage() {
        Site site = new Site();
        site.state = AdmissionState.initial();
        site.quality(POLICY, 1, 3);
        site.now += SampleWindows.PERIOD;
        site.step(
                POLICY,
                SampleWindows.batch(site.now, SampleWindows.around(0.5), SampleWindows.around(0.8), 100, 20, 30, 0));
        assertThat(site.of("low").measured()).isEqualTo(0.4 * 0.5 + 0.6 * 0.8, within(1e-12));
        assertThat(site.of("low").samples()).isEqualTo(30);
        assertThat(site.of("low").asOfMillis()).isEqualTo(site.now);
        assertThat(site.of("low").validUntilMillis()).isEqualTo(site.now + 60_000);
        assertThat(site.of("low").configVersion()).isEqualTo(7);
        assertThat(site.of("low").objective()).isEqualTo(0.9);
    }

    @Test
    void noStepIsGreaterThanTheSlewLimits() {
        AdmissionPolicy strong = SampleWindows.gains(SampleWindows.pid(), 50, 50, 0);
        Policy policy = SampleWindows.policy(strong, WINDOW);
        Site site = new Site().quality(policy, 0.94, 3).quality(policy, 1, 1);
        assertThat(site.low()).as("twice the load, that never was too much").isEqualTo(1, within(1e-12));
        site.quality(policy, 1, 4);
        site.overload(policy, 1);
        assertThat(site.low()).as("half of the load").isEqualTo(0.5, within(1e-12));
    }

    @Test
    void aDeadComponentNeverOpensTheGate() {
        Site site = new Site().quality(POLICY, 1, 5).quality(POLICY, 0.95, 3);
        double first = site.low();
        for (int k = 0; k < 60; k++) {
            // A growing share of queries lacks the mature result, and the quality of the remaining
            // ones seems to rise.
            double low = Math.max(0.5, 0.95 - k * 0.01);
            site.now += SampleWindows.PERIOD;
            Optional<Estimate> estimate = Optional.of(new Estimate(low - 0.01, low, 1));
            site.step(POLICY, SampleWindows.batch(site.now, estimate, estimate, 100, 90, 30, 3 + k / 3));
            assertThat(site.low()).isLessThanOrEqualTo(first);
        }
        assertThat(site.low()).as("most is not known, and that sheds nothing").isGreaterThan(0.2);
        assertThat(site.of("low").reason())
                .isIn(DecisionReason.HELD_NOT_KNOWN.name(), DecisionReason.SHEDDING_DOES_NOT_HELP.name());
    }

    @Test
    void aRisingShareOfExpiredHoldsEvenWhenTheLowEndIsFine() {
        Site site = new Site().quality(POLICY, 0.94, 3);
        double before = site.low();
        site.now += SampleWindows.PERIOD;
        site.step(
                POLICY,
                SampleWindows.batch(site.now, SampleWindows.around(0.98), SampleWindows.around(0.98), 100, 30, 30, 9));
        assertThat(site.of("low").reason()).isEqualTo(DecisionReason.HELD_EXPIRED.name());
        assertThat(site.low()).isEqualTo(before);
    }

    @Test
    void halfAnHourAtTheFloorIsOverWithinThreePeriods() {
        Site site = new Site().overload(POLICY, 180);
        double floor = site.low();
        site.quality(POLICY, 1, 3);
        assertThat(site.low()).isGreaterThan(1.3 * floor);
    }

    @Test
    void theLoadStaysNearWhatWasTooMuchAndFindsCapacityThatIsBack() {
        Site site = new Site().quality(POLICY, 1, 5).carrying(0.5, 20);
        for (int k = 0; k < 50; k++) {
            assertThat(site.carrying(0.5, 1).low()).isBetween(0.49, 0.51);
        }
        assertThat(site.carrying(1, 8).low()).isEqualTo(1);
    }

    @Test
    void halfAnHourAtTheCeilingIsOverWithinThreePeriods() {
        Policy policy = SampleWindows.policy(SampleWindows.gains(SampleWindows.pid(), 0.5, 0.05, 0), WINDOW);
        Site site = new Site().quality(policy, 1, 180);
        assertThat(site.low()).isEqualTo(1);
        assertThat(site.of("low").reason()).isEqualTo(DecisionReason.AT_CEILING.name());
        site.quality(policy, 0.5, 3);
        assertThat(site.low()).isLessThan(0.4);
    }

    @Test
    void aCeilingIsNotLeftWhileQualityIsAboveItsObjective() {
        Site site = new Site().quality(POLICY, 1, 60).quality(POLICY, 0.95, 1);
        assertThat(site.low()).isEqualTo(1);
    }

    @Test
    void shadowChangesNothingAndSwitchingItOffDoesNotJump() {
        Policy shadow = SampleWindows.policy(SampleWindows.shadow(SampleWindows.pid()), WINDOW);
        Site site = new Site().quality(shadow, 0.2, 50);
        assertThat(site.all).allMatch(d -> d.mode() == DecisionMode.SHADOW);
        assertThat(site.of("low").previous()).isEqualTo(0.5);
        assertThat(site.low()).isLessThan(0.5).isGreaterThan(0.05);
        site.heartbeat(shadow, 1);
        assertThat(site.of("low").mode()).isEqualTo(DecisionMode.SHADOW);
        site.quality(POLICY, 0.89, 1);
        assertThat(site.low()).isEqualTo(0.5, within(0.1));
    }

    /** As actuators do. */
    @Test
    void shadowDecisionsAreOneStepFromTheCeilingUnlessAFractionIsReported() {
        Policy shadow = SampleWindows.policy(SampleWindows.shadow(SampleWindows.pid()), WINDOW);
        Site site = new Site();
        site.state = AdmissionState.initial();
        site.quality(shadow, 0.2, 50);
        assertThat(site.of("low").previous()).isEqualTo(1);
        assertThat(site.low()).isLessThan(1);
    }

    @Test
    void startsFromTheReportedFraction() {
        Site site = new Site();
        site.state = AdmissionLoop.learn(site.state, "low", 0.83, site.now);
        site.step(POLICY, SampleWindows.batch(1, site.now));
        assertThat(site.low()).isEqualTo(0.83);
        AdmissionState heeded = AdmissionLoop.learn(site.state, "low", 0.2, site.now);
        assertThat(heeded).isEqualTo(site.state);
        assertThat(AdmissionLoop.learn(AdmissionState.initial(), "low", Double.NaN, 1))
                .isEqualTo(AdmissionState.initial());
    }

    @Test
    void anOverrideIsAppliedAtOnceAndItsReleaseDoesNotJump() {
        Site site = new Site().quality(POLICY, 1, 30);
        Policy overridden = with(new ManualOverride(0.2, 0, "ops", "load test"));
        site.heartbeat(overridden, 1);
        assertThat(site.of("low").mode()).isEqualTo(DecisionMode.MANUAL);
        assertThat(site.of("low").reason()).isEqualTo(DecisionReason.OVERRIDE.name());
        assertThat(site.low()).isEqualTo(0.2);
        site.quality(overridden, 1, 5);
        assertThat(site.low()).isEqualTo(0.2);
        site.heartbeat(POLICY, 1);
        assertThat(site.low()).isEqualTo(0.2);
        double before = site.low();
        for (int i = 0; i < 5; i++) {
            site.quality(POLICY, 1, 1);
            assertThat(site.low()).isBetween(before, 2 * before + 1e-9);
            before = site.low();
        }
        assertThat(before).isGreaterThan(0.2);
    }

    @Test
    void anOverrideEndsByItself() {
        Site site = new Site();
        Policy overridden = with(new ManualOverride(0.2, SampleWindows.START + 15_000, "ops", "load test"));
        site.heartbeat(overridden, 1);
        assertThat(site.low()).isEqualTo(0.2);
        site.heartbeat(overridden, 1);
        assertThat(site.of("low").mode()).isEqualTo(DecisionMode.HOLD);
    }

    @Test
    void theKillSwitchIsAboveAnOverride() {
        Policy overridden = with(new ManualOverride(0.2, 0, "ops", "load test"));
        Policy killed = SampleWindows.policy(overridden.admission(), WINDOW, overridden.classes(), true);
        Site site = new Site().quality(POLICY, 1, 30).heartbeat(killed, 1);
        assertThat(site.low()).isEqualTo(0.5);
        assertThat(site.of("low").reason()).isEqualTo(DecisionReason.KILL_SWITCH.name());
        assertThat(site.of("low").mode()).isEqualTo(DecisionMode.MANUAL);
        assertThat(site.of("high").value()).isEqualTo(1);
    }

    @Test
    void theLowestClassIsShedFirstAndOpenedLast() {
        Policy three = SampleWindows.policy(
                SampleWindows.pid(),
                WINDOW,
                List.of(
                        SampleWindows.high(),
                        SampleWindows.low("crawler", 3),
                        SampleWindows.low("free", 2),
                        SampleWindows.low("paid", 1)),
                false);
        Site site = new Site().quality(three, 1, 200);
        for (String c : List.of("crawler", "free", "paid")) {
            assertThat(site.of(c).value()).isEqualTo(1);
        }
        for (int i = 0; i < 60; i++) {
            site.overload(three, 1);
            orderHolds(site);
        }
        assertThat(site.of("paid").value()).isEqualTo(0.05, within(1e-9));
        for (int i = 0; i < 200; i++) {
            site.quality(three, 1, 1);
            orderHolds(site);
        }
        assertThat(site.of("crawler").value()).isEqualTo(1, within(1e-9));
    }

    private static void orderHolds(Site site) {
        if (site.of("crawler").value() > 0.05 + 1e-9) {
            assertThat(site.of("free").value()).isEqualTo(1, within(1e-9));
        }
        if (site.of("free").value() > 0.05 + 1e-9) {
            assertThat(site.of("paid").value()).isEqualTo(1, within(1e-9));
        }
    }

    @Test
    void withoutInputTheLastDecisionIsHeldThenTheSafeFractionIsApproachedWithinSlew() {
        Site site = new Site().quality(POLICY, 1, 60);
        assertThat(site.low()).isEqualTo(1);
        site.heartbeat(POLICY, 3);
        assertThat(site.of("low").reason()).isNotEqualTo(DecisionReason.HELD_STALE.name());
        site.heartbeat(POLICY, 12);
        assertThat(site.of("low").reason()).isEqualTo(DecisionReason.HELD_STALE.name());
        assertThat(site.low()).isEqualTo(1);
        site.heartbeat(POLICY, 1);
        assertThat(site.of("low").reason()).isEqualTo(DecisionReason.SAFE_FALLBACK.name());
        assertThat(site.low()).isEqualTo(0.5);
        assertThat(site.of("low").previous() - site.low()).isLessThanOrEqualTo(0.5);
    }

    @Test
    void theSafeFractionIsApproachedFromBelowWithinSlewToo() {
        Site site = new Site().overload(POLICY, 60).heartbeat(POLICY, 15);
        for (int i = 0; i < 5; i++) {
            site.heartbeat(POLICY, 1);
            assertThat(site.low() - site.of("low").previous()).isBetween(0.0, 0.25 + 1e-9);
        }
        assertThat(site.low()).isEqualTo(0.5, within(1e-9));
    }

    @Test
    void aRestartAfterTheLeaseContinuesFromTheSafeFraction() {
        Site site = new Site().quality(POLICY, 1, 60);
        site.now += 90_000;
        site.take(LOOP.heartbeat(site.state, SampleWindows.at(POLICY, 2, site.now)));
        assertThat(site.low()).isEqualTo(0.75, within(1e-9));
        assertThat(site.of("low").epoch()).isEqualTo(2);
    }

    @Test
    void aBacklogIsReadInSilence() {
        Site site = new Site().quality(POLICY, 1, 10);
        long behind = site.now;
        site.now += 15 * 60_000;
        for (int i = 1; i < 50; i++) {
            site.step(POLICY, SampleWindows.batch(0.1, behind + i * SampleWindows.PERIOD));
            assertThat(site.last).isEmpty();
        }
        assertThat(site.state.reason()).isEqualTo(DecisionReason.HELD_CATCHING_UP);
        assertThat(LOOP.heartbeat(site.state, SampleWindows.at(POLICY, 1, site.now))
                        .decisions())
                .isEmpty();
        Policy overridden = with(new ManualOverride(0.2, 0, "ops", "load test"));
        assertThat(LOOP.heartbeat(site.state, SampleWindows.at(overridden, 1, site.now))
                        .decisions())
                .singleElement()
                .satisfies(d -> assertThat(d.mode()).isEqualTo(DecisionMode.MANUAL));
        site.quality(POLICY, 1, 1);
        assertThat(site.last).hasSize(2);
    }

    @ParameterizedTest
    @EnumSource(ControllerKind.class)
    void aStaleWindowMovesNothingWhateverTheController(ControllerKind kind) {
        Policy policy = SampleWindows.policy(SampleWindows.admission(kind, Signal.QUALITY), WINDOW);
        Site site = new Site().quality(policy, 1, 10);
        long end = site.now + SampleWindows.PERIOD;
        QualityWindow bad = SampleWindows.batch(0.1, end);
        QualityWindow without = SampleWindows.batch(end, Optional.empty(), SampleWindows.around(0.1), 100, 90, 30, 0);
        AdmissionState before = site.state;

        for (QualityWindow batch : List.of(bad, without)) {
            site.state = before;
            site.now = end + Guards.staleAfterMillis(policy.admission()) + 1;
            site.step(policy, batch);

            assertThat(site.last).isEmpty();
            assertThat(site.state.reason()).isEqualTo(DecisionReason.HELD_CATCHING_UP);
            assertThat(site.state.inForce()).isEqualTo(before.inForce());
            assertThat(site.state.lastMove()).isEqualTo(before.lastMove());
        }
        site.state = before;
        site.now = end + Guards.staleAfterMillis(policy.admission());
        site.step(policy, bad);

        assertThat(site.last).as("just not stale").hasSize(2);
        assertThat(site.low() < site.of("low").previous()).isEqualTo(kind != ControllerKind.NO_CONTROL);
    }

    @Test
    void windowsThatAreNotForTheLoopChangeNothing() {
        Site site = new Site().quality(POLICY, 1, 5);
        AdmissionState before = site.state;
        site.step(POLICY, SampleWindows.batch(0.1, site.now));
        site.step(POLICY, SampleWindows.batch(0.1, site.now - 1));
        site.step(
                POLICY,
                SampleWindows.window(
                        WindowKind.SLIDING,
                        site.now + 1,
                        SampleWindows.around(0.1),
                        Optional.empty(),
                        100,
                        50,
                        30,
                        0,
                        30,
                        Optional.empty()));
        assertThat(site.state).isEqualTo(before);
    }

    @Test
    void tooFewSamplesTooLowARateAndNoEstimateHold() {
        Site site = new Site().quality(POLICY, 1, 5);
        double before = site.low();
        Optional<Estimate> wide = Optional.of(new Estimate(0.5, 0.8, 0.95));
        site.now += SampleWindows.PERIOD;
        site.step(POLICY, SampleWindows.batch(site.now, wide, wide, 100, 40, 19, 0));
        assertThat(site.of("low").reason()).isEqualTo(DecisionReason.HELD_TOO_FEW_SAMPLES.name());
        site.now += SampleWindows.PERIOD;
        site.step(
                POLICY,
                SampleWindows.batch(site.now, SampleWindows.around(0.2), SampleWindows.around(0.2), 0, 0, 30, 0)
                        .toBuilder()
                        .offered(100)
                        .build());
        assertThat(site.of("low").reason()).isEqualTo(DecisionReason.HELD_RATE_TOO_LOW.name());
        site.now += SampleWindows.PERIOD;
        site.step(POLICY, SampleWindows.batch(site.now, Optional.empty(), SampleWindows.around(0.2), 100, 90, 30, 0));
        assertThat(site.of("low").reason()).isEqualTo(DecisionReason.HELD_NO_ESTIMATE.name());
        assertThat(site.low()).isEqualTo(before);
        assertThat(site.of("low").mode()).isEqualTo(DecisionMode.HOLD);
    }

    /** Of four components' results 0.7 came in time: whatever they are worth, 0.9 is not likely. */
    @Test
    void fewSamplesDoNotHoldWhatTheCountsOfLateResultsShow() {
        Site site = new Site().quality(POLICY, 1, 5);
        double before = site.low();
        Optional<Estimate> wide = Optional.of(new Estimate(0.5, 0.8, 0.95));
        site.now += SampleWindows.PERIOD;
        QualityWindow batch = SampleWindows.batch(site.now, wide, wide, 100, 40, 19, 0);
        List<ComponentAttribution> late = IntStream.range(0, 4)
                .mapToObj(i -> new ComponentAttribution("shard-" + i, 100, 30, 0, 0))
                .toList();
        site.step(POLICY, batch.toBuilder().components(late).build());
        assertThat(site.of("low").reason()).isEqualTo(DecisionReason.SHUT.name());
        assertThat(site.low()).isLessThan(before);
    }

    @Test
    void withinTheDeadBandNothingMovesButAnObjectiveNearOneCanBeExceeded() {
        Site site = new Site().quality(POLICY, 0.94, 3);
        double before = site.low();
        site.quality(POLICY, 0.895, 10);
        assertThat(site.low()).isEqualTo(before);
        assertThat(site.of("low").reason()).isEqualTo(DecisionReason.WITHIN_DEAD_BAND.name());
        ClassPolicy strict = ClassPolicy.builder()
                .name("high")
                .priority(0)
                .objective(0.995)
                .floor(1)
                .build();
        Policy nearOne =
                SampleWindows.policy(SampleWindows.pid(), WINDOW, List.of(strict, SampleWindows.low("low", 1)), false);
        Optional<Estimate> perfect = Optional.of(new Estimate(1, 1, 1));
        for (int i = 0; i < 2; i++) {
            site.now += SampleWindows.PERIOD;
            site.step(nearOne, SampleWindows.batch(site.now, perfect, perfect, 100, 0, 30, 0));
        }
        assertThat(site.low()).isGreaterThan(before);
    }

    @Test
    void aMoveIsNotFollowedByAnotherBeforeItsEffectCanBeSeen() {
        Site site = new Site().quality(POLICY, 1, 4);
        long end = site.now;
        // The previous window ended before the loop moved, and this one began before.
        site.now += SampleWindows.PERIOD / 2;
        site.step(POLICY, SampleWindows.batch(0.7, end + SampleWindows.PERIOD / 4));
        double shut = site.low();
        site.step(POLICY, SampleWindows.batch(0.7, end + SampleWindows.PERIOD / 2));
        assertThat(site.low()).isEqualTo(shut);
        assertThat(site.of("low").reason()).isEqualTo(DecisionReason.HELD_AWAITING_EFFECT.name());
        site.step(POLICY, SampleWindows.batch(0.4, end + SampleWindows.PERIOD / 2 + 1));
        assertThat(site.low()).as("much worse: the loop moves at once").isLessThan(shut);
    }

    @Test
    void sequencesRiseWithinAnEpochAndStartAgainInTheNext() {
        Site site = new Site().quality(POLICY, 1, 3);
        assertThat(site.all).extracting(Decision::sequence).isSorted().doesNotHaveDuplicates();
        Step<AdmissionState, Decision> next = LOOP.heartbeat(site.state, SampleWindows.at(POLICY, 9, site.now));
        assertThat(next.decisions()).extracting(Decision::epoch).containsOnly(9L);
        assertThat(next.decisions()).extracting(Decision::sequence).containsExactly(1L, 2L);
    }

    @Test
    void noControlOpensWithoutAnyInput() {
        Policy none = SampleWindows.policy(SampleWindows.admission(ControllerKind.NO_CONTROL, Signal.QUALITY), WINDOW);
        Site site = new Site().heartbeat(none, 6);
        assertThat(site.low()).isEqualTo(1);
        assertThat(site.of("low").reason()).isEqualTo(DecisionReason.NO_CONTROL.name());
        assertThat(site.of("low").asOfMillis()).isEqualTo(site.now);
    }
}
