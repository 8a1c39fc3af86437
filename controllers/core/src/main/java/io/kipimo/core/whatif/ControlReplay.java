package io.kipimo.core.whatif;

import io.kipimo.core.admission.AdmissionLoop;
import io.kipimo.core.admission.AdmissionState;
import io.kipimo.core.guard.Controller;
import io.kipimo.core.guard.Step;
import io.kipimo.core.guard.StepContext;
import io.kipimo.schemas.decision.Decision;
import io.kipimo.schemas.field.ServiceClass;
import io.kipimo.schemas.policy.Policy;
import io.kipimo.schemas.quality.QualityWindow;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** Runs a controller's decision code at given times. With the recorded policy it repeats the job's decisions. */
public final class ControlReplay {
    private ControlReplay() {}

    /**
     * Runs the controller for each invocation and returns every step and heartbeat, silent ones included.
     *
     * @param policy gives the policy of an invocation
     */
    public static <S> List<Replayed<S>> replay(
            Controller<S, QualityWindow, Decision, Policy> controller,
            S initial,
            Function<RecordedInvocation, Policy> policy,
            List<RecordedInvocation> invocations) {
        List<Replayed<S>> all = new ArrayList<>();
        S state = initial;
        for (RecordedInvocation invocation : invocations) {
            StepContext<Policy> context = new StepContext<>(
                    policy.apply(invocation), invocation.lock(), invocation.epoch(), invocation.atMillis());
            if (invocation.windows().isEmpty()) {
                Step<S, Decision> beat = controller.heartbeat(state, context);
                all.add(new Replayed<>(context, state, Optional.empty(), beat.decisions()));
                state = beat.next();
            }
            for (QualityWindow window : invocation.windows()) {
                Step<S, Decision> step = controller.step(state, window, context);
                all.add(new Replayed<>(context, state, Optional.of(window), step.decisions()));
                state = step.next();
            }
        }
        return all;
    }

    /**
     * Adapts a loop to a recording that was made under other decisions. The recorded quality does not respond to what
     * the loop decides, so the adapted loop does not test the effect of its own decisions.
     */
    public static Controller<AdmissionState, QualityWindow, Decision, Policy> openLoop(
            Controller<AdmissionState, QualityWindow, Decision, Policy> loop) {
        return new Controller<>() {
            @Override
            public Step<AdmissionState, Decision> step(
                    AdmissionState state, QualityWindow batch, StepContext<Policy> context) {
                return loop.step(state.withoutEffect(), batch, context);
            }

            @Override
            public Step<AdmissionState, Decision> heartbeat(AdmissionState state, StepContext<Policy> context) {
                return loop.heartbeat(state, context);
            }
        };
    }

    /** All decisions of a replay. */
    public static <S> List<Decision> decisions(List<Replayed<S>> replayed) {
        return replayed.stream().flatMap(r -> r.decisions().stream()).toList();
    }

    /**
     * The state of an admission loop before its first recorded decisions, as far as these show it: the fractions in
     * force. The averages are not known.
     *
     * @param decisions recorded decisions; those of the first run count
     */
    public static AdmissionState goingOnFrom(List<Decision> decisions) {
        AdmissionState state = AdmissionState.initial();
        List<List<Decision>> runs = RecordedInvocations.runs(decisions);
        if (runs.isEmpty()) {
            return state;
        }
        for (Decision decision : runs.get(0)) {
            String queryClass = ServiceClass.of(decision.scope()).queryClass();
            state = AdmissionLoop.learn(state, queryClass, decision.previous(), decision.issuedAtMillis());
        }
        return state;
    }

    /** Whether these are all decisions of a controller, without a gap from the first on. */
    public static boolean isWhole(List<Decision> decisions) {
        long epoch = -1;
        long expected = 1;
        for (List<Decision> run : RecordedInvocations.runs(decisions)) {
            for (Decision decision : run) {
                expected = decision.epoch() == epoch ? expected : 1;
                epoch = decision.epoch();
                if (decision.sequence() != expected++) {
                    return false;
                }
            }
        }
        return !decisions.isEmpty();
    }
}
