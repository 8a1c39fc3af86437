package io.kipimo.core.admission;

import io.kipimo.core.guard.DecisionReason;
import io.kipimo.core.guard.LastMove;
import io.kipimo.schemas.field.WithBuilder;
import io.soabase.recordbuilder.core.RecordBuilder.Initializer;
import java.util.Map;

/**
 * State of the admission loop of one service; small, of types that any store can hold.
 *
 * @param sequence of the last decision within {@code epoch}
 * @param inForce by class
 * @param inputSinceMillis start of the uninterrupted input, event time; 0: none yet
 * @param lastWindowMillis end of the newest window, event time; 0: none yet
 * @param usableMillis end of the newest window with a usable measurement, or when the loop began
 * @param catchingUp whether the newest window was too old on arrival
 * @param reason of the last step
 * @param costs by class of the policy; those whose front ends state no costs are left out
 * @param load what the classes offer
 * @param evidence of the present setting
 * @param effect whether the present shedding helps
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

    /** State of version 0.1.0 has no costs, no load, no evidence and no test. */
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

    /** This state without what is known of the effect of the steps. */
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
