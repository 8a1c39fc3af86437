package io.kipimo.core.admission;

import io.kipimo.core.guard.DecisionReason;
import io.kipimo.core.guard.LastMove;
import io.kipimo.schemas.field.WithBuilder;
import io.soabase.recordbuilder.core.RecordBuilder.Initializer;
import java.util.Map;

/**
 * State of the admission loop of one service. It is small, and consists of types that any store can hold.
 *
 * @param sequence number of the last decision within {@code epoch}
 * @param inForce fractions that actuators apply, by class
 * @param inputSinceMillis start of the uninterrupted input, event time; 0: none yet
 * @param lastWindowMillis end of the newest window, event time; 0: none yet
 * @param usableMillis end of the newest window with a usable measurement, or when the loop began
 * @param catchingUp whether the newest window was too old on arrival
 * @param reason reason of the last step
 * @param costs work by predicted cost, for each class that the policy admits by cost
 * @param load load that the classes offer
 * @param evidence figures of the answers under the present setting
 * @param effect test whether the present shedding helps
 */
@WithBuilder
public record AdmissionState(
        long epoch,
        long sequence,
        @Initializer(source = Map.class, value = "of") Map<String, InForce> inForce,
        PidState pid,
        SignalState signals,
        Figures figures,
        LastMove lastMove,
        long inputSinceMillis,
        long lastWindowMillis,
        long usableMillis,
        boolean catchingUp,
        DecisionReason reason,
        @Initializer(source = Map.class, value = "of") Map<String, CostProfile> costs,
        LoadMemory load,
        SettingEvidence evidence,
        EffectTest effect)
        implements AdmissionStateBuilder.With {

    /** Replaces nulls: state that version 0.1.0 stored has no costs, no load, no evidence and no test. */
    public AdmissionState {
        costs = costs == null ? Map.of() : costs;
        load = load == null ? LoadMemory.NONE : load;
        evidence = evidence == null ? SettingEvidence.NONE : evidence;
        effect = effect == null ? EffectTest.NONE : effect;
    }

    /** The state before any input. */
    public static AdmissionState initial() {
        return AdmissionStateBuilder.builder()
                .pid(PidState.UNSTARTED)
                .signals(SignalState.INITIAL)
                .figures(Figures.NONE)
                .lastMove(LastMove.NEVER)
                .reason(DecisionReason.HELD_NO_INPUT)
                .build();
    }

    /** Returns this state without its test whether shedding helps. */
    public AdmissionState withoutEffect() {
        return withEffect(EffectTest.NONE);
    }

    AdmissionState because(DecisionReason newReason) {
        return after(pid, lastMove, usableMillis, newReason);
    }

    AdmissionState after(PidState newPid, LastMove newLastMove, long newUsableMillis, DecisionReason newReason) {
        return AdmissionStateBuilder.builder(this)
                .pid(newPid)
                .lastMove(newLastMove)
                .usableMillis(newUsableMillis)
                .reason(newReason)
                .build();
    }

    AdmissionState published(long newEpoch, long newSequence, Map<String, InForce> newInForce, long nowMillis) {
        return AdmissionStateBuilder.builder(this)
                .epoch(newEpoch)
                .sequence(newSequence)
                .inForce(newInForce)
                .usableMillis(usableMillis == 0 ? nowMillis : usableMillis)
                .build();
    }
}
