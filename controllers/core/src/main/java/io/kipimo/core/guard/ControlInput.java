package io.kipimo.core.guard;

import io.kipimo.schemas.field.WithBuilder;
import io.kipimo.schemas.quality.Unmeasurable;

/**
 * Input of a control law in one step.
 *
 * @param inForce value in force, 0..1
 * @param measured quality of the measurable answers, 0..1
 * @param low low end of its interval, with every unmeasurable answer counted as quality 0
 * @param lowOfMeasurable low end of the interval of the measurable answers
 * @param high upper end of the interval of {@code measured}
 * @param counted least quality that the unsampled counts allow, 0..1: every time-out and every unmeasurable answer
 *     counts as 0; 0 if measurements contradict it
 * @param bestByTimeOuts greatest quality that is possible with the counted time-outs, by the known loss of a time-out;
 *     1 if this loss is not known
 * @param admitted admitted load of all classes, as a part of the load that the steered classes offer between their
 *     floors and ceilings; at least {@code inForce}
 * @param carried greatest load, in the unit of {@code admitted}, at which quality has kept its objective
 * @param missed load, in the unit of {@code admitted}, at which quality last missed its objective; infinite: it never
 *     did
 * @param chance half-width of the interval of the present quality by the chance of time-outs, 0..1
 * @param stepsDown number of steps down since quality last rose
 * @param objective set point of {@code measured}, 0..1
 * @param reachable greatest value of {@code measured} that shedding can bring, 0..1; 1 unless a lower one was found
 * @param newest quality of the newest step alone, 0..1
 * @param measurableShare share of the newest step's answers that are measurable, 0..1
 * @param samples number of measurements
 * @param ratePerSecond answers a second
 * @param expired number of sampled queries of the step that EXPIRED or are not measurable
 * @param stepSamples number of sampled queries of the step
 * @param usualExpiredShare share of the sampled queries that EXPIRED or were not measurable in the past, 0..1
 * @param inputSinceMillis start of the uninterrupted input, epoch milliseconds of event time
 * @param asOfMillis end of the newest window, epoch milliseconds of event time
 * @param stepStartMillis start of that window
 * @param stepMillis time since the window before
 * @param nowMillis epoch milliseconds
 */
@WithBuilder
public record ControlInput(
        double inForce,
        double measured,
        double low,
        double lowOfMeasurable,
        double high,
        double counted,
        double bestByTimeOuts,
        double admitted,
        double carried,
        double missed,
        double chance,
        int stepsDown,
        double objective,
        double reachable,
        double newest,
        double measurableShare,
        int samples,
        double ratePerSecond,
        int expired,
        int stepSamples,
        double usualExpiredShare,
        long inputSinceMillis,
        long asOfMillis,
        long stepStartMillis,
        long stepMillis,
        LastMove lastMove,
        long nowMillis) {

    /** An input without a measurement. */
    public static ControlInput of(double inForce, long nowMillis) {
        return ControlInputBuilder.builder()
                .inForce(inForce)
                .high(1)
                .missed(Double.POSITIVE_INFINITY)
                .bestByTimeOuts(1)
                .reachable(1)
                .measurableShare(1)
                .lastMove(LastMove.NEVER)
                .nowMillis(nowMillis)
                .build();
    }

    /**
     * Signed distance from the objective. Below 0: the mean is below the objective by that much. Above 0: even the low
     * end is above it by that much. 0: the objective lies between low end and mean.
     */
    public double error() {
        if (measured < objective) {
            return measured - objective;
        }
        return Math.max(0, low - objective);
    }

    /** Whether the counts alone show that quality keeps its objective; no sample is needed. */
    public boolean isProven() {
        return counted > 0 && counted >= objective;
    }

    /**
     * Whether quality is in the upper half of the room between its objective and the reachable quality, both by the low
     * end of its average and in the newest step alone.
     */
    public boolean isClear() {
        double clear = (reachable + objective) / 2;
        return objective < reachable && low >= clear && newest * measurableShare >= clear;
    }

    /** Whether the interval's upper end or the time-outs show that quality misses its objective. */
    public boolean isShownBad() {
        return measured < objective && best() < objective;
    }

    /**
     * Whether quality misses its objective by the counts of time-outs, even if there are few measurements. Both the
     * mean plus the chance of the counts and the interval's upper end must be below the objective. That end is higher
     * the fewer measurements there are.
     */
    public boolean isCountedBad() {
        return Math.max(high, measured + chance) < objective;
    }

    /** The greatest quality that interval and time-outs allow, 0..1. */
    public double best() {
        return Math.min(high, bestByTimeOuts);
    }

    /** Whether the newest step's quality is not known: its samples are mostly not exact. */
    public boolean isUnknown() {
        return stepSamples > 0 && expired > (1 - Unmeasurable.LEAST_MEASURABLE_SHARE) * stepSamples;
    }

    /** Returns the reason why the low end is below the objective although the mean is not. */
    public DecisionReason whyLowEndFalls() {
        return lowOfMeasurable >= objective && low < objective
                ? DecisionReason.HELD_PARTLY_MEASURABLE
                : DecisionReason.HELD_INTERVAL_TOO_WIDE;
    }

    /**
     * Returns the law's state after a guard has denied its output. While the error is 0, only the proportional part of
     * the law asks for a move. Then the state stays as it was, so the move is still pending at the next step. With any
     * other error the state advances, because a pending proportional part of the other sign would block the integral
     * part for ever.
     */
    <S> S heldState(S before, S after) {
        return error() == 0 ? before : after;
    }
}
