package io.kipimo.simulator.scenario;

import io.kipimo.core.quality.join.JoinResult;
import io.kipimo.schemas.field.WithBuilder;
import io.kipimo.schemas.quality.Estimate;
import io.kipimo.simulator.control.ReplicationPlane;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Result of a run. Totals of classes, judged windows and judged batches cover the time after the warm-up. All else
 * covers the whole run.
 *
 * @param threshold true mean quality that a window of the highest class should reach, 0..1
 * @param executions number of finished executions in all tiers
 * @param events number of events of the engine
 */
@WithBuilder
public record SimulationResult(
        String scenario,
        long seed,
        double seconds,
        double warmUpSeconds,
        double threshold,
        List<ClassTotal> classes,
        List<TierTotal> tiers,
        List<Slot> slots,
        Optional<ControlTotal> control,
        Optional<ReplicationTotal> replication,
        long executions,
        long events) {

    /**
     * Totals of one priority class.
     *
     * @param timeOutShare share of the answers that lacked some component, 0..1
     * @param quality true mean quality of all answers, 0..1
     * @param good number of answers whose true quality was at or above the threshold
     * @param askedShare mean share of the components that the answers asked, 0..1
     */
    public record ClassTotal(
            String name,
            long offered,
            long admitted,
            long answered,
            double timeOutShare,
            double quality,
            long good,
            double askedShare,
            Latencies latencies) {
        /** Share of the offered queries that were admitted; 1 if none was offered. */
        public double admittedShare() {
            return offered == 0 ? 1 : (double) admitted / offered;
        }
    }

    /**
     * Totals of one tier, warm-up included.
     *
     * @param lookups requests that asked the tier's cache, if it has one
     * @param hits requests that the cache answered
     * @param utilisation share of the tier's cores that were busy, 0..1
     */
    public record TierTotal(
            String name,
            long calls,
            long timedOutCalls,
            long executions,
            long refused,
            long lookups,
            long hits,
            double utilisation,
            Latencies latencies) {}

    /**
     * Figures of a period of virtual time.
     *
     * @param fraction admitted fraction of the class that is shed first, in force at the end
     * @param measured newest sliding estimate of the highest class; empty: too few measurements
     * @param utilisation utilisation of each tier
     */
    public record Slot(
            double startSeconds,
            List<ClassSlot> classes,
            double fraction,
            Optional<Estimate> measured,
            double[] utilisation) {}

    /**
     * Figures of one class in a slot.
     *
     * @param quality true mean quality; 1 without answers
     * @param askedShare mean share of the components that the answers asked; 1 without answers
     */
    public record ClassSlot(
            long offered, long admitted, long answered, double timeOutShare, double quality, double askedShare) {}

    /**
     * Totals of the measurement and the control of the service.
     *
     * @param measurements measured queries, degraded or not
     * @param expired measured queries of which some result never came
     * @param decisions decisions that changed a fraction
     * @param vain decisions that found that shedding does not help
     * @param fates number of events on the log by the result of their join
     */
    public record ControlTotal(
            QualityTotal quality,
            long measurements,
            long expired,
            BatchErrors batches,
            long decisions,
            long vain,
            Map<JoinResult, Long> fates) {}

    /**
     * True quality of the highest class.
     *
     * @param windows number of averaging windows with answers after the warm-up; one ends with each slot
     * @param windowsAtThreshold number of these windows whose true mean quality was at or above the threshold
     * @param worstWindow least true mean quality of any of these windows
     */
    public record QualityTotal(int windows, int windowsAtThreshold, double worstWindow) {
        /** Share of the windows at or above the threshold; 1 without windows. */
        public double shareAtThreshold() {
            return windows == 0 ? 1 : (double) windowsAtThreshold / windows;
        }
    }

    /**
     * Errors of the estimates in the highest class's control batches.
     *
     * @param judged batches after the warm-up that had an estimate
     * @param without number of batches after the warm-up that had none
     * @param meanError mean of |estimate - truth| over the batches, as a part of the mean truth; 0 without truth
     * @param p95Error 95th percentile of |estimate - truth|, as a part of the mean truth; 0 without truth
     */
    public record BatchErrors(List<JudgedBatch> judged, int without, double meanError, double p95Error) {}

    /**
     * The estimate of a control batch and the true mean quality of its answers.
     *
     * @param startSeconds start of the batch in virtual time
     */
    public record JudgedBatch(double startSeconds, Estimate estimate, double truth) {
        double error() {
            return Math.abs(estimate.mean() - truth);
        }
    }

    /**
     * Result of the replicator.
     *
     * @param proven factors at the end, without a trial that is still running
     * @param trials number of trials on live traffic
     * @param endedAtSeconds when the search first ended; NaN if it did not
     * @param greatestUtilisation greatest utilisation of any tier in any window, at the factors in force; 1 is unstable
     * @param vain number of decisions that found that copies do not help
     */
    public record ReplicationTotal(
            List<Integer> proven,
            long trials,
            double endedAtSeconds,
            double greatestUtilisation,
            long vain,
            List<ReplicationPlane.FactorChange> changes) {}

    /** Returns the total of the class with this name. */
    public ClassTotal classTotal(String name) {
        return classes.stream().filter(c -> c.name().equals(name)).findFirst().orElseThrow();
    }
}
