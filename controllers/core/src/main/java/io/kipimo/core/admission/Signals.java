package io.kipimo.core.admission;

import io.kipimo.core.guard.Bounds;
import io.kipimo.schemas.policy.Policy;
import io.kipimo.schemas.policy.Signal;
import io.kipimo.schemas.quality.Estimate;
import io.kipimo.schemas.quality.QualityWindow;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Computes the control signal from a batch window.
 *
 * <ul>
 *   <li>{@link Signal#QUALITY}: {@code w batch + (1 - w) averaged}, w = 0.4 (Ubora, sec. 8).
 *   <li>{@link Signal#TIME_OUTS}: one minus the time-out share, weighted alike; the average is a moving one with the
 *       mean age of the averaging window.
 *   <li>{@link Signal#CASCADE}: an inner loop on {@code 1 - lambda share}, where lambda is the learned loss of a
 *       time-out. Its input is seconds old, not minutes. The averaged exact quality slowly moves its set point. This
 *       removes the dead time and keeps the exact quality as the target. Not in Ubora.
 * </ul>
 *
 * <p>Opening depends on the low end: the lesser of the averaged estimate's low end and the weighted low end. EXPIRED
 * queries enter both with their low ends. It bounds an average over the window, so its width falls with the window's
 * samples, and noise does not shut.
 *
 * <p>Counts need no samples: an answer that had every component has quality 1, so quality is at least the share of such
 * answers. If that average is at or above the objective, it is the low end.
 *
 * <p>All of these are of measurable answers. The low end counts unmeasurable answers as quality 0. Their weight is
 * their share of the batch, or of about the averaging window, whichever is greater.
 */
final class Signals {
    /** The exact quality moves the inner set point by at most this amount of quality. */
    private static final double LARGEST_CORRECTION = 0.1;

    /** Number of averaging windows over which the usual share of EXPIRED measurements is averaged. */
    private static final double EXPIRED_MEMORY = 10;

    /**
     * The moving average of the loss per time-out follows new values by this factor faster than the others, since the
     * loss is already averaged over the window.
     */
    private static final double LOSS_PACE = 5;

    /** The inner loop counts as in control if it is within this distance of its set point. */
    private static final double INNER_BAND = 0.05;

    private Signals() {}

    /**
     * Returns the learned figures after this window.
     *
     * @param settingSinceMillis start of the present setting, epoch milliseconds; time-outs before it do not count
     */
    static SignalState learn(
            SignalState state, Policy policy, QualityWindow batch, double opening, long settingSinceMillis) {
        double weight = weight(policy, batch);
        double expired = expiredShare(batch);
        double unmeasurable = 1 - batch.measurableShare();
        double timeOuts = batch.measurable() > 0 ? batch.timeOutShare() : state.timeOutShare();
        double ofSetting = (batch.endMillis() - batch.startMillis())
                / (double) Math.max(1, batch.endMillis() - settingSinceMillis);
        double loss = batch.lossPerTimeOut()
                .filter(l -> l >= 0 && l <= 1)
                .map(l -> state.lossPerTimeOut() == 1 ? l : moved(state.lossPerTimeOut(), l, LOSS_PACE * weight))
                .orElse(state.lossPerTimeOut());
        return new SignalState(
                loss,
                correction(state, policy, batch, opening, weight),
                state.started() ? moved(state.timeOutShare(), timeOuts, Math.max(weight, ofSetting)) : timeOuts,
                state.started() ? moved(state.expiredShare(), expired, weight / EXPIRED_MEMORY) : expired,
                state.started() ? moved(state.unmeasurableShare(), unmeasurable, weight) : unmeasurable,
                true);
    }

    private static double correction(
            SignalState state, Policy policy, QualityWindow batch, double opening, double weight) {
        if (batch.averaged().isEmpty()
                || batch.averagedSamples() < policy.admission().minimumSamples()) {
            return state.setPointCorrection();
        }
        double objective = policy.highestClass().objective();
        double inner = 1 - state.lossPerTimeOut() * batch.timeOutShare();
        double distance = Math.abs(inner - objective - state.setPointCorrection());
        // Far from its set point the inner loop is at a limit or still moving, so no correction.
        if (distance > INNER_BAND || opening <= 0 || opening >= 1) {
            return state.setPointCorrection();
        }
        double averaged = batch.averaged().orElseThrow().mean();
        // As for opening and shutting, unmeasurable answers count neither as good nor as bad.
        double shortfall = averaged < objective
                ? objective - averaged
                : Math.min(0, objective - measurableShare(state, batch) * averaged);
        return Bounds.clamp(
                state.setPointCorrection() + shortfall * weight / 2, -LARGEST_CORRECTION, LARGEST_CORRECTION);
    }

    /** Returns the weight of a window in a moving average whose mean age is that of the averaging window. */
    private static double weight(Policy policy, QualityWindow batch) {
        double span = batch.endMillis() - batch.startMillis();
        return 2 * span / (policy.windowMillis() + span);
    }

    private static double moved(double average, double value, double weight) {
        return average + Math.min(1, weight) * (value - average);
    }

    /** Number of sampled queries without an exact quality. */
    static int inexact(QualityWindow batch) {
        return batch.expired() + batch.unmeasurableSamples();
    }

    static int sampled(QualityWindow batch) {
        return batch.samples() + batch.unmeasurableSamples();
    }

    private static double expiredShare(QualityWindow batch) {
        return sampled(batch) == 0 ? 0 : (double) inexact(batch) / sampled(batch);
    }

    private static double measurableShare(SignalState state, QualityWindow batch) {
        return Math.min(batch.measurableShare(), 1 - state.unmeasurableShare());
    }

    /** The signal of a window; empty if the window has no estimate. */
    static Optional<ControlSignal> read(SignalState state, Policy policy, QualityWindow batch) {
        return switch (policy.admission().signal()) {
            case QUALITY -> quality(state, policy, batch);
            case TIME_OUTS -> Optional.of(timeOuts(state, policy, batch));
            case CASCADE -> cascade(state, policy, batch);
        };
    }

    private static Optional<ControlSignal> quality(SignalState state, Policy policy, QualityWindow batch) {
        double objective = policy.highestClass().objective();
        double counted = counted(state, policy, batch);
        if (batch.estimate().isEmpty() || batch.averaged().isEmpty()) {
            return counted < objective
                    ? Optional.empty()
                    : Optional.of(new ControlSignal(
                            counted,
                            counted,
                            counted,
                            1,
                            counted,
                            objective,
                            1,
                            1 - batch.timeOutShare(),
                            batch.averagedSamples()));
        }
        Estimate current = batch.estimate().get();
        Estimate averaged = batch.averaged().get();
        double w = policy.admission().currentWeight();
        double measured = w * current.mean() + (1 - w) * averaged.mean();
        double low = Math.min(averaged.low(), w * current.mean() + (1 - w) * averaged.low());
        // Where whole answers are measured as well (replay.of-clean), they may be worse than 1.
        double shown = Math.min(counted, measured);
        return Optional.of(new ControlSignal(
                measured,
                Math.max(low * measurableShare(state, batch), shown),
                Math.max(low, shown),
                Math.max(measured, w * current.high() + (1 - w) * averaged.high()),
                shown,
                objective,
                1,
                current.mean(),
                batch.averagedSamples()));
    }

    private static ControlSignal timeOuts(SignalState state, Policy policy, QualityWindow batch) {
        double w = policy.admission().currentWeight();
        double measured = 1 - (w * batch.timeOutShare() + (1 - w) * state.timeOutShare());
        // Time-outs are counted, not sampled, so there is no interval.
        return new ControlSignal(
                measured,
                measured * measurableShare(state, batch),
                measured,
                measured,
                measured * measurableShare(state, batch),
                setPoint(policy),
                1,
                1 - batch.timeOutShare(),
                count(batch.measurable()));
    }

    private static Optional<ControlSignal> cascade(SignalState state, Policy policy, QualityWindow batch) {
        if (batch.averaged().isEmpty()) {
            return Optional.empty();
        }
        Estimate averaged = batch.averaged().get();
        double measured = 1 - state.lossPerTimeOut() * batch.timeOutShare();
        double low = Math.max(0, measured - (averaged.mean() - averaged.low()));
        return Optional.of(new ControlSignal(
                measured,
                low * measurableShare(state, batch),
                low,
                Math.min(1, measured + (averaged.high() - averaged.mean())),
                counted(state, policy, batch),
                Bounds.clamp(policy.highestClass().objective() + state.setPointCorrection(), 0, 1),
                1,
                measured,
                count(batch.measurable())));
    }

    /**
     * Returns the least quality that the counts of the batch, and of about the averaging window, allow. It is 0 without
     * answers. It is also 0 if an estimate is below the objective, because then not all answers that had every
     * component are good.
     */
    private static double counted(SignalState state, Policy policy, QualityWindow batch) {
        double objective = policy.highestClass().objective();
        boolean isContradicted = Stream.concat(batch.estimate().stream(), batch.averaged().stream())
                .anyMatch(e -> !(e.mean() >= objective));
        if (batch.answered() == 0 || isContradicted) {
            return 0;
        }
        double w = policy.admission().currentWeight();
        double newest = (1 - batch.timeOutShare()) * batch.measurableShare();
        double usual = (1 - state.timeOutShare()) * (1 - state.unmeasurableShare());
        return Math.max(0, Math.min(usual, w * newest + (1 - w) * usual) - batch.deliberateLoss());
    }

    /**
     * Returns the greatest quality that the time-outs allow, by their known loss. Queries that EXPIRED count as if they
     * had lost nothing. If the batch has no degraded sample, it is the upper end of the averaged quality, or 1 if there
     * is none. It is 1 if the policy's signal is the time-outs.
     */
    static double bestByTimeOuts(SignalState state, Policy policy, QualityWindow batch) {
        if (policy.admission().signal() == Signal.TIME_OUTS) {
            return 1;
        }
        if (batch.degradedSamples() == 0) {
            return batch.averaged().map(Estimate::high).orElse(1.0);
        }
        double unknown = (double) batch.expired() / batch.degradedSamples();
        double loss = Math.max(0, batch.lossPerTimeOut().orElse(0.0) - unknown);
        double w = policy.admission().currentWeight();
        double share = w * batch.timeOutShare() + (1 - w) * state.timeOutShare();
        return Math.max(0, 1 - loss * share - batch.deliberateLoss());
    }

    /**
     * Whether so many answers lack a component that the objective would be missed if each of them lost everything. The
     * excess must be more than two standard deviations.
     */
    static boolean exceedTimeOuts(Policy policy, QualityWindow batch) {
        double allowed = 1 - setPoint(policy);
        double expected = batch.measurable() * allowed;
        return batch.timedOut() > expected + 1 + 2 * Math.sqrt(expected * (1 - allowed));
    }

    static double setPoint(Policy policy) {
        return policy.admission().signal() == Signal.TIME_OUTS
                ? 1 - policy.admission().timeOutObjective()
                : policy.highestClass().objective();
    }

    private static int count(long value) {
        return (int) Math.min(Integer.MAX_VALUE, value);
    }
}
