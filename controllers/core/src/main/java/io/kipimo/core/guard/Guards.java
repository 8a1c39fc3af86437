package io.kipimo.core.guard;

import io.kipimo.schemas.decision.DecisionMode;
import io.kipimo.schemas.policy.AdmissionPolicy;
import io.kipimo.schemas.policy.ClassPolicy;
import io.kipimo.schemas.policy.ManualOverride;
import io.kipimo.schemas.policy.Policy;
import io.kipimo.schemas.quality.Unmeasurable;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * All guards, in their order: {@link #ofController} applies to each measurement, {@link #ofClass} to each fraction
 * before its publication. Stale input does not reach the guards, since {@code AdmissionLoop} takes no step on it.
 */
public final class Guards {
    /**
     * If the newest step is worse by more than this quality, the loop does not wait for the effect of the last move.
     */
    private static final double WORSE = 0.1;

    private Guards() {}

    /**
     * Guards on the measurement of a step.
     *
     * @param mayRise whether no other controller holds the actuation lock
     */
    public static <S> List<Guard<S>> ofController(Policy policy, boolean mayRise) {
        AdmissionPolicy admission = policy.admission();
        return List.of(
                fullWindow(policy.windowMillis()),
                minimumRate(admission.minimumRatePerSecond()),
                minimumMeasurable(Unmeasurable.LEAST_MEASURABLE_SHARE),
                minimumSamples(admission.minimumSamples()),
                deadBand(admission.deadBand()),
                awaitEffect(WORSE),
                consistentTrend(),
                raiseUnlessMoreExpire(),
                exclusiveActuation(mayRise),
                raiseOnMeasurable(),
                raiseAboveLowerBound(),
                lowerOnEvidence());
    }

    /** Guards on the fraction of a class. */
    public static <S> List<Guard<S>> ofClass(Policy policy, ClassPolicy classPolicy) {
        AdmissionPolicy admission = policy.admission();
        return List.of(
                killSwitch(policy.killSwitch(), classPolicy.safeFraction()),
                override(classPolicy.override()),
                shadow(admission.shadow()),
                bounds(classPolicy.floor(), classPolicy.ceiling()));
    }

    /** Age at which a measurement is stale, milliseconds. */
    public static long staleAfterMillis(AdmissionPolicy admission) {
        return admission.staleAfterPeriods() * admission.periodMillis();
    }

    /** Whether input from the time {@code asOfMillis} is too old to act on. */
    public static boolean isStale(long asOfMillis, long maximumAgeMillis, long nowMillis) {
        return nowMillis - asOfMillis > maximumAgeMillis;
    }

    /** Holds until the input covers one averaging window, or shows without it that quality is good or bad. */
    static <S> Guard<S> fullWindow(long windowMillis) {
        return holdIf(
                DecisionReason.HELD_WINDOW_NOT_FULL,
                input -> !input.isProven()
                        && !input.isShownBad()
                        && input.asOfMillis() - input.inputSinceMillis() < windowMillis);
    }

    /** Holds if there are fewer answers a second than {@code perSecond}. */
    static <S> Guard<S> minimumRate(double perSecond) {
        return holdIf(DecisionReason.HELD_RATE_TOO_LOW, input -> input.ratePerSecond() < perSecond);
    }

    /** Holds if less than {@code share} of the answers is measurable. */
    static <S> Guard<S> minimumMeasurable(double share) {
        return holdIf(DecisionReason.HELD_NOT_MEASURABLE, input -> input.measurableShare() < share);
    }

    /**
     * Holds if there are fewer measurements than {@code samples}, unless counts show that quality is good or that it is
     * bad.
     */
    static <S> Guard<S> minimumSamples(int samples) {
        return holdIf(
                DecisionReason.HELD_TOO_FEW_SAMPLES,
                input -> input.samples() < samples && !input.isProven() && !input.isCountedBad());
    }

    /**
     * Holds while quality is within {@code width} of its objective. The band is at most half of the objective's
     * distance to 1, since otherwise quality could never leave the band at an objective of 0.99.
     */
    static <S> Guard<S> deadBand(double width) {
        return holdIf(DecisionReason.WITHIN_DEAD_BAND, input -> {
            return Math.abs(input.measured() - input.objective()) < Math.min(width, (1 - input.objective()) / 2);
        });
    }

    /**
     * Holds while too much of the newest step is before the last move, since it cannot show the effect of the move. So
     * the loop's step adapts to its dead time, and no gain must be tuned to it. There are two exceptions. The guard
     * does not hold if the newest step is worse by more than {@code margin} than the step of the last move, or than the
     * objective if that is less. It does not hold either if counts, which show an effect within seconds, prove that
     * quality is clear of its objective.
     */
    static <S> Guard<S> awaitEffect(double margin) {
        return holdIf(DecisionReason.HELD_AWAITING_EFFECT, input -> {
            LastMove last = input.lastMove();
            double expected = Math.min(input.objective(), last.newest());
            return !last.isShownBy(input.stepStartMillis(), input.asOfMillis(), input.newest() < input.objective())
                    && !(input.isProven() && input.isClear())
                    && !(input.newest() < expected - margin);
        });
    }

    /**
     * Holds while the newest step and the average lie on different sides of the objective: either the average still
     * contains input from before the last move, or the step is noise.
     */
    static <S> Guard<S> consistentTrend() {
        return holdIf(
                DecisionReason.HELD_DISAGREEING,
                input -> (input.newest() < input.objective()) != (input.measured() < input.objective()));
    }

    /**
     * The value does not rise while more sampled queries than usual EXPIRED or are not measurable. As overload deepens,
     * more mature results miss the window and more answers are errors, so the remaining answers look healthy. "More" is
     * the usual count plus one plus two standard deviations. The usual share adapts slowly, so a component that is
     * always late does not shut the service for ever.
     */
    static <S> Guard<S> raiseUnlessMoreExpire() {
        return noRiseIf(DecisionReason.HELD_EXPIRED, input -> {
            double usual = input.usualExpiredShare() * input.stepSamples();
            double deviation = Math.sqrt(usual * (1 - input.usualExpiredShare()));
            return input.expired() > usual + 1 + 2 * deviation;
        });
    }

    /**
     * While another controller holds the actuation lock, the value does not rise, since each would mistake the other's
     * effect for its own. The value may fall; then the other controller takes its trial back.
     */
    static <S> Guard<S> exclusiveActuation(boolean mayRise) {
        return noRiseIf(DecisionReason.HELD_AWAITING_TURN, input -> !mayRise);
    }

    /**
     * The value rises only if the newest step is at or above the objective with every unmeasurable answer counted as
     * quality 0. {@link ControlInput#low} counts them in the same way for the average.
     *
     * <p>A weaker rule would let a controller open because bad answers became unmeasurable: of 100 answers, it cannot
     * distinguish five of quality 0 from five of unknown quality.
     */
    static <S> Guard<S> raiseOnMeasurable() {
        return (state, input, law) -> {
            ControlOutput<S> wanted = law.decide(state, input);
            return wanted.value() > input.inForce()
                            && input.measurableShare() < 1
                            && !(input.newest() * input.measurableShare() >= input.objective())
                    ? denied(state, input, wanted, DecisionReason.HELD_PARTLY_MEASURABLE)
                    : wanted;
        };
    }

    /**
     * The value rises only if the interval's lower bound is at or above the objective. While the objective lies between
     * lower bound and mean, the state of the control law does not change. So the denied proportional part follows once
     * the interval allows it, and noise around the objective does not lower the value step by step.
     */
    static <S> Guard<S> raiseAboveLowerBound() {
        return (state, input, law) -> {
            ControlOutput<S> wanted = law.decide(state, input);
            return wanted.value() > input.inForce() && !(input.low() >= input.objective())
                    ? denied(
                            state,
                            input,
                            wanted,
                            input.error() < 0 ? DecisionReason.HELD_RECOVERING : input.whyLowEndFalls())
                    : wanted;
        };
    }

    /**
     * The value falls only on evidence that quality is bad. A mean below the objective is no such evidence, because it
     * counts queries of unknown quality with their low ends. Without evidence the state of the control law does not
     * change, so the proportional part takes effect once there is evidence.
     */
    static <S> Guard<S> lowerOnEvidence() {
        return (state, input, law) -> {
            ControlOutput<S> wanted = law.decide(state, input);
            if (!(wanted.value() < input.inForce()) || input.isShownBad()) {
                return wanted;
            }
            if (input.measured() < input.objective()) {
                return ControlOutput.hold(
                        state,
                        input.inForce(),
                        input.isUnknown() ? DecisionReason.HELD_NOT_KNOWN : DecisionReason.HELD_NOT_SHOWN);
            }
            return denied(
                    state,
                    input,
                    wanted,
                    input.error() > 0 ? DecisionReason.HELD_ABOVE_OBJECTIVE : input.whyLowEndFalls());
        };
    }

    /** If on, the output is the safe value. */
    static <S> Guard<S> killSwitch(boolean on, double safe) {
        return (state, input, law) -> on
                ? new ControlOutput<>(state, safe, DecisionMode.MANUAL, DecisionReason.KILL_SWITCH)
                : law.decide(state, input);
    }

    /** A person's value replaces the law's at once. The bounds of the class do not apply to it. */
    static <S> Guard<S> override(Optional<ManualOverride> override) {
        return (state, input, law) -> override.filter(o -> o.isInForce(input.nowMillis()))
                .map(o -> new ControlOutput<>(state, o.fraction(), DecisionMode.MANUAL, DecisionReason.OVERRIDE))
                .orElseGet(() -> law.decide(state, input));
    }

    /** If on, decisions are published in shadow mode, which no actuator applies. */
    static <S> Guard<S> shadow(boolean on) {
        return (state, input, law) -> {
            ControlOutput<S> wanted = law.decide(state, input);
            return on
                    ? new ControlOutput<>(wanted.state(), wanted.value(), DecisionMode.SHADOW, wanted.reason())
                    : wanted;
        };
    }

    /** Limits the value to {@code floor}..{@code ceiling}; holds if it is not finite. */
    static <S> Guard<S> bounds(double floor, double ceiling) {
        return (state, input, law) -> {
            ControlOutput<S> wanted = law.decide(state, input);
            // Before any comparison: Math.max(0.1, NaN) is NaN.
            if (!Double.isFinite(wanted.value())) {
                return ControlOutput.hold(
                        state, Bounds.clamp(input.inForce(), floor, ceiling), DecisionReason.HELD_IMPOSSIBLE_VALUE);
            }
            double bounded = Bounds.clamp(wanted.value(), floor, ceiling);
            return bounded != wanted.value() && wanted.mode() == DecisionMode.HOLD
                    ? new ControlOutput<>(wanted.state(), bounded, DecisionMode.ACTIVE, DecisionReason.BOUNDED)
                    : wanted.withValue(bounded);
        };
    }

    private static <S> Guard<S> holdIf(DecisionReason reason, Predicate<ControlInput> isUnfit) {
        return (state, input, law) ->
                isUnfit.test(input) ? ControlOutput.hold(state, input.inForce(), reason) : law.decide(state, input);
    }

    private static <S> Guard<S> noRiseIf(DecisionReason reason, Predicate<ControlInput> isForbidden) {
        return (state, input, law) -> {
            ControlOutput<S> wanted = law.decide(state, input);
            return !(wanted.value() <= input.inForce()) && isForbidden.test(input)
                    ? ControlOutput.hold(state, input.inForce(), reason)
                    : wanted;
        };
    }

    private static <S> ControlOutput<S> denied(
            S state, ControlInput input, ControlOutput<S> wanted, DecisionReason reason) {
        return ControlOutput.hold(input.heldState(state, wanted.state()), input.inForce(), reason);
    }
}
