package io.kipimo.core.replication;

import io.kipimo.core.guard.MoverTurn.Mover;
import io.kipimo.core.guard.StepContext;
import io.kipimo.core.tails.LatencySketch;
import io.kipimo.schemas.policy.TrialPolicy;
import io.kipimo.schemas.replication.TrialEvidence;
import io.kipimo.schemas.replication.TrialEvidenceBuilder;
import java.util.Optional;
import org.apache.commons.math3.distribution.NormalDistribution;

/** Evaluates a running trial on one window: the trial goes on, is kept, or is taken back. */
final class TrialEvaluator {
    /** A window with fewer requests than this fraction (1 / {@value}) of a trial's least number shows no violation. */
    private static final int VIOLATION_PART = 10;

    private TrialEvaluator() {}

    static FactorOutcome evaluate(
            ReplicatorState state, ReplicationReading reading, StepContext<Instructions> context) {
        if (Relief.isReturn(state)) {
            return Relief.evaluateReturn(state, reading, context);
        }
        FactorTrial trial = state.trial().orElseThrow();
        ReplicationSettings settings = context.policy().settings();
        long nowMillis = context.nowMillis();
        // The latencies of a window that began before the trial are not the trial's.
        if (reading.startMillis() >= state.changedAtMillis() && violates(reading, state, settings)) {
            return rejected(state, trial, ReplicationReason.ROLLED_BACK_SLA, nowMillis);
        }
        if (!context.lock().isFreeFor(Mover.REPLICATION, nowMillis)
                || context.policy().shadow()) {
            return FactorOutcome.active(TrialEnd.aborted(state, nowMillis), ReplicationReason.ROLLED_BACK_TURN);
        }
        if (ConditionDrift.of(state, settings).isPresent()) {
            return FactorOutcome.active(
                    state.restarted(state.search().current(), nowMillis), ReplicationReason.ROLLED_BACK_LOAD);
        }
        if (!state.isSettledIn(reading, settings.trials())) {
            return FactorOutcome.hold(state, ReplicationReason.SETTLING);
        }
        FactorTrial measured = trial.with(trial.measured().with(reading, settings.target(), settings.trials()));
        return judge(state.withTrial(measured), measured, reading, context);
    }

    private static FactorOutcome judge(
            ReplicatorState state, FactorTrial trial, ReplicationReading reading, StepContext<Instructions> context) {
        ReplicationSettings settings = context.policy().settings();
        TrialPolicy rules = settings.trials();
        boolean urgent = Relief.isUrgent(state, rules);
        boolean over = trial.measured().millis() >= (urgent ? rules.minimumMillis() : rules.maximumMillis());
        if (urgent
                ? trial.measured().requests() < rules.minimumRequests()
                : !trial.measured().isEnough(rules)) {
            return over
                    ? rejected(state, trial, ReplicationReason.TRIAL_UNDECIDED, context.nowMillis())
                    : FactorOutcome.hold(state, ReplicationReason.TRIAL_RUNNING);
        }
        MeasuredFactors.Difference change = urgent
                ? trial.measured().byRanks(state.baseline(), settings.target(), Relief.CONFIDENT)
                : trial.measured()
                        .over(state.baseline(), settings.target(), over ? rules.lastConfidence() : rules.confidence());
        FeasibleSet load = reading.feasible(state.inForce(), settings.limits());
        return verdict(state, trial, change, over, load, context)
                .withEvidence(evidence(state, trial, change, settings.target()));
    }

    private static FactorOutcome verdict(
            ReplicatorState state,
            FactorTrial trial,
            MeasuredFactors.Difference change,
            boolean over,
            FeasibleSet load,
            StepContext<Instructions> context) {
        ReplicationSettings settings = context.policy().settings();
        long nowMillis = context.nowMillis();
        boolean raises = trial.raises();
        double worth = settings.worthMicros(state.baseline())
                * Math.abs(trial.to().copies() - trial.from().copies());
        boolean urgent = Relief.isUrgent(state, settings.trials());
        // More copies must gain; one copy less must lose less than a copy is worth.
        boolean better = urgent
                ? Relief.gain(state, trial, settings) > Relief.CONFIDENT
                : change.highMicros() < (raises ? 0 : worth) && (!raises || change.micros() < -worth);
        if (better) {
            return FactorOutcome.active(
                    TrialEnd.kept(taught(state, trial, load, settings.target()), trial, change.micros(), nowMillis),
                    ReplicationReason.TRIAL_KEPT);
        }
        boolean noBetter = urgent
                ? Relief.gain(state, trial, settings) < -Relief.CONFIDENT
                : change.lowMicros() > (raises ? -worth : 0);
        if (noBetter || over) {
            ReplicatorState taught = taught(state, trial, load, settings.target());
            return FactorOutcome.active(
                    TrialEnd.rejected(taught, trial, isExplained(taught, trial, load, settings), nowMillis),
                    noBetter ? ReplicationReason.TRIAL_NO_BETTER : ReplicationReason.TRIAL_UNDECIDED);
        }
        return FactorOutcome.hold(state, ReplicationReason.TRIAL_RUNNING);
    }

    /** Ends a trial that taught the model nothing. */
    private static FactorOutcome rejected(
            ReplicatorState state, FactorTrial trial, ReplicationReason reason, long nowMillis) {
        return FactorOutcome.active(TrialEnd.rejected(state, trial, false, nowMillis), reason);
    }

    private static ReplicatorState taught(
            ReplicatorState state, FactorTrial trial, FeasibleSet load, TargetMetric target) {
        return state.withTrust(FactorModel.taughtBy(trial, state.baseline(), load, target, state.trust()));
    }

    /** Whether the taught model predicts that the trial gains less than its copies are worth. */
    private static boolean isExplained(
            ReplicatorState taught, FactorTrial trial, FeasibleSet load, ReplicationSettings settings) {
        double worth = settings.worthMicros(taught.baseline())
                * (trial.to().copies() - trial.from().copies());
        Optional<FactorModel> model =
                FactorModel.of(taught.baseline(), load, trial.from(), settings.target(), taught.trust());
        return model.filter(m -> m.changeMicros(trial.to()) + worth >= 0).isPresent();
    }

    /**
     * Whether one window shows a violation of the SLA, with the confidence of the rules. A target below the baseline's
     * is no violation.
     */
    private static boolean violates(ReplicationReading reading, ReplicatorState state, ReplicationSettings settings) {
        TrialPolicy rules = settings.trials();
        LatencySketch latency = reading.tiers().get(0).requestLatency();
        if (settings.objectiveMicros() == 0 || latency.count() * VIOLATION_PART < rules.minimumRequests()) {
            return false;
        }
        double deviations = new NormalDistribution(null, 0, 1).inverseCumulativeProbability(rules.confidence());
        double bound =
                Math.max((double) settings.objectiveMicros(), state.baseline().targetMicros(settings.target()));
        return settings.target().atLeastMicros(latency, deviations) > bound;
    }

    private static TrialEvidence evidence(
            ReplicatorState state, FactorTrial trial, MeasuredFactors.Difference change, TargetMetric target) {
        return TrialEvidenceBuilder.builder()
                .from(trial.from().values())
                .to(trial.to().values())
                .baselineRequests(state.baseline().requests())
                .trialRequests(trial.measured().requests())
                .baselineMicros(state.baseline().targetMicros(target))
                .trialMicros(trial.measured().targetMicros(target))
                .changeMicros(change.micros())
                .lowMicros(change.lowMicros())
                .highMicros(change.highMicros())
                .predictedMicros(trial.predictedMicros().stream().boxed().findFirst())
                .build();
    }
}
