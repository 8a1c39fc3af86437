package io.kipimo.core.sampling;

import io.kipimo.core.guard.Bounds;
import io.kipimo.core.guard.ControlWindows;
import io.kipimo.core.guard.DecisionReason;
import io.kipimo.core.guard.Guards;
import io.kipimo.core.guard.PolicyCheck;
import io.kipimo.core.guard.Step;
import io.kipimo.core.guard.StepContext;
import io.kipimo.schemas.decision.Decision;
import io.kipimo.schemas.decision.DecisionBuilder;
import io.kipimo.schemas.decision.DecisionMode;
import io.kipimo.schemas.policy.Policy;
import io.kipimo.schemas.policy.SamplingPolicy;
import io.kipimo.schemas.quality.Estimate;
import io.kipimo.schemas.quality.QualityWindow;
import io.kipimo.schemas.quality.Unmeasurable;
import io.kipimo.schemas.quality.WindowKind;
import java.util.Optional;

/**
 * Finds the lowest sampling rate at which the stratified interval is as narrow as the policy asks.
 *
 * <p>The half-width h of the interval is inversely proportional to the square root of the samples, so the needed rate
 * is {@code r (h / target)^2}, where r is the average rate over the window of h. (With the rate in force the loop would
 * be unstable, since the window still contains samples of minutes ago.) One step covers half of the logarithmic
 * distance, at most a factor of two. Within 10 % the rate stays.
 *
 * <p>While lower classes are shed or the service is busy, the rate falls to the minimum, or to the rate that the
 * policy's minimum number of samples safely needs, whichever is greater.
 *
 * <p>While less than half of the answers are measurable, the rate does not rise, since more samples would not help.
 *
 * <p>Late work is proportional to the rate. So the late work of a window and its average rate give the rate at which
 * late work reaches the policy's budget. Whatever the interval needs, no decision exceeds that rate. Only the policy's
 * least rate and a rate that a person fixed may exceed it.
 */
final class AdaptiveSampling {
    private static final double LARGEST_FACTOR = 2;
    private static final double DEAD_BAND = 0.1;

    /** Number of standard deviations between the number of samples to aim at and the least that controllers need. */
    private static final double SCATTER = 3;

    private AdaptiveSampling() {}

    /**
     * Makes a step. It decides nothing if the window is not a sliding one of the highest class by the first metric, if
     * the window ends no later than an earlier one, while the job works off a backlog, or if the policy is impossible.
     */
    static Step<SamplingState, Decision> step(
            SamplingState state, QualityWindow window, SamplingBudget budget, StepContext<Policy> context) {
        Policy policy = context.policy();
        long staleAfter = Guards.staleAfterMillis(policy.admission());
        if (!PolicyCheck.problems(policy).isEmpty()
                || !ControlWindows.steers(window, WindowKind.SLIDING, policy)
                || window.samples() < 0
                || window.backlogRate() < 1
                || window.endMillis() > context.nowMillis() + staleAfter
                || window.endMillis() <= state.lastWindowMillis()
                || Guards.isStale(window.endMillis(), staleAfter, context.nowMillis())) {
            return Step.silent(state);
        }
        double rate = rateInForce(state, policy.sampling());
        double average = averageRate(state, policy, window, rate);
        boolean isBlind = window.measurableShare() < Unmeasurable.LEAST_MEASURABLE_SHARE;
        double wanted = needed(policy, window, budget, average);
        double needed = isBlind ? Math.min(rate, wanted) : wanted;
        double most = most(policy.sampling(), budget, average);
        double next = next(policy.sampling(), rate, needed, most);
        Optional<Estimate> estimate = window.estimate();
        SamplingState seen = new SamplingState(
                state.epoch(),
                state.sequence(),
                rate,
                average,
                window.endMillis(),
                window.samples(),
                estimate.map(Estimate::halfWidth).orElse(1.0),
                state.reason());
        DecisionReason reason =
                isBlind && next == rate && wanted > rate && policy.sampling().fixedRate() == 0
                        ? DecisionReason.HELD_NOT_MEASURABLE
                        : reason(policy.sampling(), budget, rate, needed, next, most);
        return publish(seen, next, reason, context);
    }

    /**
     * Renews the rate in force, every period of processing time. While samples are scarce it repeats the reason of the
     * last step, because emitters choose samples by that reason.
     */
    static Step<SamplingState, Decision> heartbeat(SamplingState state, StepContext<Policy> context) {
        Policy policy = context.policy();
        if (!PolicyCheck.problems(policy).isEmpty()) {
            return Step.silent(state);
        }
        double rate = rateInForce(state, policy.sampling());
        DecisionReason reason = policy.sampling().fixedRate() > 0
                ? DecisionReason.FIXED_RATE
                : state.lastWindowMillis() == 0
                        ? DecisionReason.HELD_NO_INPUT
                        : SamplingBudget.isScarce(state.reason().name()) ? state.reason() : DecisionReason.RENEWED;
        return publish(state, rate, reason, context);
    }

    /** The rate in force; before the first step the geometric mean of the bounds. */
    private static double rateInForce(SamplingState state, SamplingPolicy sampling) {
        if (sampling.fixedRate() > 0) {
            return sampling.fixedRate();
        }
        double rate = state.rate() > 0 ? state.rate() : Math.sqrt(sampling.minimumRate() * sampling.maximumRate());
        return Bounds.clamp(rate, sampling.minimumRate(), sampling.maximumRate());
    }

    private static double averageRate(SamplingState state, Policy policy, QualityWindow window, double rate) {
        if (!(state.averageRate() > 0)) {
            return rate;
        }
        double span = window.endMillis() - state.lastWindowMillis();
        double weight = Math.min(1, 2 * span / (policy.windowMillis() + span));
        return state.averageRate() + weight * (rate - state.averageRate());
    }

    private static double needed(Policy policy, QualityWindow window, SamplingBudget budget, double average) {
        double forSamples = average * enough(policy.admission().minimumSamples()) / Math.max(1, window.samples());
        if (budget.isSpent()) {
            return forSamples;
        }
        // Without an estimate the interval is 0..1.
        double halfWidth = window.estimate().map(Estimate::halfWidth).orElse(1.0);
        double ratio = halfWidth / policy.sampling().targetHalfWidth();
        return Math.max(forSamples, average * ratio * ratio);
    }

    /**
     * Samples to aim at, so that a window rarely has fewer than the controllers' minimum: their number is about
     * Poisson, so the minimum is three standard deviations below.
     */
    private static double enough(int minimum) {
        return minimum + SCATTER * SCATTER / 2 + SCATTER * Math.sqrt(minimum + SCATTER * SCATTER / 4);
    }

    /** Returns the rate at which late work reaches its budget; infinite without a budget or without late work. */
    private static double most(SamplingPolicy sampling, SamplingBudget budget, double average) {
        double extraLoad = budget.extraLoad().orElse(0);
        return sampling.extraLoad() > 0 && extraLoad > 0
                ? Math.max(sampling.minimumRate(), average * sampling.extraLoad() / extraLoad)
                : Double.POSITIVE_INFINITY;
    }

    private static double next(SamplingPolicy sampling, double rate, double needed, double most) {
        return sampling.fixedRate() > 0 ? sampling.fixedRate() : Math.min(most, towards(sampling, rate, needed));
    }

    private static double towards(SamplingPolicy sampling, double rate, double needed) {
        double wanted = Bounds.clamp(needed, sampling.minimumRate(), sampling.maximumRate());
        double ratio = wanted / rate;
        if (Math.abs(ratio - 1) <= DEAD_BAND) {
            boolean atBound = wanted == sampling.minimumRate() || wanted == sampling.maximumRate();
            return atBound ? wanted : rate;
        }
        double factor = Bounds.clamp(Math.sqrt(ratio), 1 / LARGEST_FACTOR, LARGEST_FACTOR);
        return Bounds.clamp(rate * factor, sampling.minimumRate(), sampling.maximumRate());
    }

    private static DecisionReason reason(
            SamplingPolicy sampling, SamplingBudget budget, double rate, double needed, double next, double most) {
        if (sampling.fixedRate() > 0) {
            return DecisionReason.FIXED_RATE;
        }
        if (next == most && Math.min(needed, sampling.maximumRate()) > most) {
            return DecisionReason.EXTRA_LOAD;
        }
        if (budget.isSpent() && needed <= next) {
            return DecisionReason.BUDGET_SPENT;
        }
        if (next > rate) {
            return DecisionReason.INTERVAL_WIDENED;
        }
        if (next < rate) {
            return DecisionReason.INTERVAL_NARROW_ENOUGH;
        }
        return DecisionReason.WITHIN_DEAD_BAND;
    }

    private static Step<SamplingState, Decision> publish(
            SamplingState seen, double rate, DecisionReason reason, StepContext<Policy> context) {
        Policy policy = context.policy();
        long nowMillis = context.nowMillis();
        long sequence = (seen.epoch() == context.epoch() ? seen.sequence() : 0) + 1;
        double previous = seen.rate() > 0 ? seen.rate() : rate;
        SamplingState next = new SamplingState(
                context.epoch(),
                sequence,
                rate,
                seen.averageRate(),
                seen.lastWindowMillis(),
                seen.samples(),
                seen.halfWidth(),
                reason);
        return Step.of(
                next,
                DecisionBuilder.builder()
                        .controller(Decision.SAMPLING)
                        .scope(policy.service())
                        .epoch(context.epoch())
                        .sequence(sequence)
                        .issuedAtMillis(nowMillis)
                        .asOfMillis(reason == DecisionReason.FIXED_RATE ? nowMillis : seen.lastWindowMillis())
                        .validUntilMillis(nowMillis + policy.admission().leaseMillis())
                        .value(rate)
                        .previous(previous)
                        .samples(seen.samples())
                        .mode(rate == previous ? DecisionMode.HOLD : DecisionMode.ACTIVE)
                        .reason(reason.name())
                        .configVersion(policy.version())
                        .measured(seen.halfWidth())
                        .low(seen.halfWidth())
                        .high(seen.halfWidth())
                        .objective(policy.sampling().targetHalfWidth())
                        .build());
    }
}
