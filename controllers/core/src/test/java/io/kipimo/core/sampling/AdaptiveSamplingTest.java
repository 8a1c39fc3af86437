package io.kipimo.core.sampling;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.kipimo.core.admission.BadValues;
import io.kipimo.core.admission.SampleWindows;
import io.kipimo.core.guard.DecisionReason;
import io.kipimo.core.guard.Step;
import io.kipimo.schemas.codec.Codecs;
import io.kipimo.schemas.codec.InvalidRecordException;
import io.kipimo.schemas.decision.Decision;
import io.kipimo.schemas.decision.DecisionMode;
import io.kipimo.schemas.policy.Policy;
import io.kipimo.schemas.policy.SamplingPolicy;
import io.kipimo.schemas.quality.Estimate;
import io.kipimo.schemas.quality.QualityWindow;
import io.kipimo.schemas.quality.WindowKind;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

class AdaptiveSamplingTest {
    private static final Policy POLICY = SampleWindows.policy(SampleWindows.pid(), 60 * SampleWindows.PERIOD);
    private static final SamplingBudget BUSY = new SamplingBudget(1, OptionalDouble.of(0.85), OptionalDouble.empty());

    private static QualityWindow window(long end, double halfWidth, int samples) {
        double h = Math.min(0.45, halfWidth);
        return SampleWindows.window(
                WindowKind.SLIDING,
                end,
                Optional.of(new Estimate(0.5 - h, 0.5, 0.5 + h)),
                Optional.empty(),
                10_000,
                2_000,
                samples,
                0,
                samples,
                Optional.empty());
    }

    /** Half-width = spread / sqrt(samples) over a window of 60 periods, 1,000 queries each. */
    private static SamplingState run(
            SamplingState start, double spread, double loss, SamplingBudget budget, int periods) {
        SamplingState state = start;
        Deque<Double> counts = new ArrayDeque<>();
        long from = Math.max(SampleWindows.START, start.lastWindowMillis());
        double rate = start.rate() > 0 ? start.rate() : Math.sqrt(0.005 * 0.2);
        for (int i = 1; i <= periods; i++) {
            counts.add(1000 * rate * (1 - loss));
            if (counts.size() > 60) {
                counts.poll();
            }
            double samples = counts.stream().mapToDouble(d -> d).sum();
            long now = from + i * SampleWindows.PERIOD;
            Step<SamplingState, Decision> step = AdaptiveSampling.step(
                    state,
                    window(now, spread / Math.sqrt(samples), (int) samples),
                    budget,
                    SampleWindows.at(POLICY, now));
            Decision d = step.decision().orElseThrow();
            assertThat(d.value()).isBetween(0.005, 0.2);
            assertThat(d.value() / d.previous()).isBetween(0.5 - 1e-9, 2 + 1e-9);
            state = step.next();
            rate = state.rate();
        }
        return state;
    }

    @Test
    void settlesAtTheLowestRateThatKeepsTheHalfWidth() {
        // 0.02 = 1 / sqrt(samples) needs 2,500 of the 60,000 queries of a window.
        SamplingState settled = run(SamplingState.initial(), 1, 0, SamplingBudget.AMPLE, 400);
        assertThat(settled.rate()).isEqualTo(2500.0 / 60_000, within(0.15 * 2500 / 60_000));
        assertThat(settled.halfWidth()).isEqualTo(0.02, within(0.0025));
    }

    @Test
    void makesUpForSamplesThatAreLostOnTheWay() {
        SamplingState settled = run(SamplingState.initial(), 1, 0.5, SamplingBudget.AMPLE, 400);
        assertThat(settled.rate()).isEqualTo(5000.0 / 60_000, within(0.15 * 5000 / 60_000));
    }

    @Test
    void aWiderIntervalRaisesTheRate() {
        SamplingState settled = run(SamplingState.initial(), 0.5, 0, SamplingBudget.AMPLE, 400);
        SamplingState wider = run(settled, 1, 0, SamplingBudget.AMPLE, 400);
        assertThat(wider.rate()).isGreaterThan(3 * settled.rate());
    }

    @Test
    void measuringGivesWayToLoadButIsNeverBlind() {
        SamplingState settled = run(SamplingState.initial(), 1, 0, SamplingBudget.AMPLE, 300);
        assertThat(run(settled, 1, 0, BUSY, 120).rate()).isEqualTo(0.005);
        SamplingBudget shed = new SamplingBudget(0.5, OptionalDouble.empty(), OptionalDouble.empty());
        assertThat(run(settled, 1, 0, shed, 120).rate()).isEqualTo(0.005);
        assertThat(new SamplingBudget(0.95, OptionalDouble.of(Double.NaN), OptionalDouble.empty()).isSpent())
                .isFalse();
        // Five samples in the window at this rate: four times as many are needed.
        SamplingState few = AdaptiveSampling.step(
                        settled,
                        window(settled.lastWindowMillis() + 10_000, 0.3, 5),
                        BUSY,
                        SampleWindows.at(POLICY, settled.lastWindowMillis() + 10_000))
                .next();
        assertThat(few.rate()).isGreaterThan(settled.rate());
    }

    private static SamplingBudget extraLoad(double share) {
        return new SamplingBudget(1, OptionalDouble.empty(), OptionalDouble.of(share));
    }

    private static Decision step(SamplingState state, Policy policy, double halfWidth, SamplingBudget budget) {
        long now = state.lastWindowMillis() + SampleWindows.PERIOD;
        return AdaptiveSampling.step(state, window(now, halfWidth, 1000), budget, SampleWindows.at(policy, now))
                .decision()
                .orElseThrow();
    }

    @Test
    void lateWorkStaysWithinItsBudgetWhateverTheIntervalNeeds() {
        SamplingState settled = run(SamplingState.initial(), 1, 0, SamplingBudget.AMPLE, 300);

        Decision twice = step(settled, POLICY, 0.3, extraLoad(0.1));

        assertThat(twice.value())
                .as("at once, to the rate at which it is 5 %")
                .isEqualTo(settled.averageRate() / 2, within(0.01 * settled.averageRate()));
        assertThat(twice.reason()).isEqualTo(DecisionReason.EXTRA_LOAD.name());
        assertThat(step(settled, POLICY, 0.3, extraLoad(100)).value())
                .as("the least rate always applies")
                .isEqualTo(0.005);
        Decision little = step(settled, POLICY, 0.3, extraLoad(0.01));
        assertThat(little.reason()).isEqualTo(DecisionReason.INTERVAL_WIDENED.name());
        assertThat(little.value()).isGreaterThan(settled.rate());
    }

    @Test
    void theRateRestsWhereLateWorkIsAtItsBudget() {
        SamplingState state = SamplingState.initial();
        for (int i = 1; i <= 500; i++) {
            long now = SampleWindows.START + i * SampleWindows.PERIOD;
            // Everything times out, and late work is three times the work for the answers.
            double share = 3 * (state.averageRate() > 0 ? state.averageRate() : 0.03);
            state = AdaptiveSampling.step(state, window(now, 0.3, 300), extraLoad(share), SampleWindows.at(POLICY, now))
                    .next();
            assertThat(i < 100 ? 0 : 3 * state.rate()).isLessThan(0.0505);
        }
        assertThat(3 * state.rate()).isEqualTo(0.05, within(1e-3));
        Decision renewed = AdaptiveSampling.heartbeat(state, SampleWindows.at(POLICY, state.lastWindowMillis() + 5))
                .decision()
                .orElseThrow();
        assertThat(renewed.reason())
                .as("senders must have the rate between the steps, too")
                .isEqualTo(DecisionReason.EXTRA_LOAD.name());
    }

    @Test
    void aPolicyMayHaveNoBudgetOrFixTheRate() {
        SamplingState settled = run(SamplingState.initial(), 1, 0, SamplingBudget.AMPLE, 300);
        Policy any = BadValues.with(
                POLICY, "sampling", SamplingPolicy.builder().extraLoad(0).build());
        Policy fixed = BadValues.with(
                POLICY, "sampling", SamplingPolicy.builder().fixedRate(0.5).build());

        assertThat(step(settled, any, 0.3, extraLoad(0.5)).reason()).isEqualTo(DecisionReason.INTERVAL_WIDENED.name());
        assertThat(step(settled, fixed, 0.3, extraLoad(0.5)).value()).isEqualTo(0.5);
    }

    @Test
    void theWorkOfAllClassesCountsTogether() {
        SamplingMemory memory = SamplingMemory.initial()
                .with("high", new ClassLoad(1, 10, 900))
                .with("low", new ClassLoad(0.95, 90, 100));

        assertThat(memory.budget().extraLoad()).hasValue(0.1);
        assertThat(memory.budget().leastAdmitted()).isEqualTo(0.95);
        assertThat(SamplingMemory.initial().budget()).isEqualTo(SamplingBudget.AMPLE);
        assertThat(SamplingMemory.initial()
                        .with("high", new ClassLoad(1, 10, 0))
                        .budget())
                .as("a service that does not report its work")
                .isEqualTo(SamplingBudget.AMPLE);
    }

    @Test
    void withoutAnEstimateTheRateRises() {
        QualityWindow blind =
                BadValues.with(window(SampleWindows.START, 0.1, 100), "estimate", Optional.<Estimate>empty());
        Step<SamplingState, Decision> step = AdaptiveSampling.step(
                SamplingState.initial(), blind, SamplingBudget.AMPLE, SampleWindows.at(POLICY, SampleWindows.START));
        assertThat(step.decision().orElseThrow().reason()).isEqualTo(DecisionReason.INTERVAL_WIDENED.name());
    }

    @Test
    void aFixedRateIsFixed() {
        Policy fixed = BadValues.with(
                POLICY, "sampling", SamplingPolicy.builder().fixedRate(0.5).build());
        Decision d = AdaptiveSampling.step(
                        SamplingState.initial(),
                        window(SampleWindows.START, 0.4, 10),
                        BUSY,
                        SampleWindows.at(fixed, SampleWindows.START))
                .decision()
                .orElseThrow();
        assertThat(d.value()).isEqualTo(0.5);
        assertThat(d.reason()).isEqualTo(DecisionReason.FIXED_RATE.name());
        assertThat(d.scope()).isEqualTo("search");
    }

    @Test
    void aHeartbeatRenewsTheLease() {
        SamplingState state = run(SamplingState.initial(), 1, 0, SamplingBudget.AMPLE, 10);
        Decision d = AdaptiveSampling.heartbeat(state, SampleWindows.at(POLICY, state.lastWindowMillis() + 5))
                .decision()
                .orElseThrow();
        assertThat(d.mode()).isEqualTo(DecisionMode.HOLD);
        assertThat(d.value()).isEqualTo(state.rate());
        assertThat(d.sequence()).isEqualTo(state.sequence() + 1);
    }

    @Test
    void noBadNumberInAnyFieldGivesAnInvalidDecision() throws InvalidRecordException {
        long now = SampleWindows.START;
        SamplingState state = run(SamplingState.initial(), 1, 0, SamplingBudget.AMPLE, 5);
        for (QualityWindow bad : BadValues.inEveryNumberOf(window(state.lastWindowMillis() + 10, 0.03, 100))) {
            valid(AdaptiveSampling.step(state, bad, BUSY, SampleWindows.at(POLICY, state.lastWindowMillis() + 10)));
        }
        for (Policy bad : BadValues.policies(POLICY).toList()) {
            valid(AdaptiveSampling.step(
                    SamplingState.initial(), window(now, 0.03, 9), BUSY, SampleWindows.at(bad, now)));
            valid(AdaptiveSampling.heartbeat(state, SampleWindows.at(bad, now)));
        }
    }

    private static void valid(Step<SamplingState, Decision> step) throws InvalidRecordException {
        if (step.decision().isPresent()) {
            Decision d = step.decision().get();
            assertThat(d.value()).isBetween(1e-6, 1.0);
            assertThat(Codecs.DECISION.decode(Codecs.DECISION.encode(d))).isEqualTo(d);
        }
    }
}
