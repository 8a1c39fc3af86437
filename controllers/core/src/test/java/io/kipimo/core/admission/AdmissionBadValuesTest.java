package io.kipimo.core.admission;

import static org.assertj.core.api.Assertions.assertThat;

import io.kipimo.core.Effort;
import io.kipimo.core.guard.Step;
import io.kipimo.schemas.codec.Codecs;
import io.kipimo.schemas.codec.InvalidRecordException;
import io.kipimo.schemas.decision.Decision;
import io.kipimo.schemas.policy.AdmissionPolicy;
import io.kipimo.schemas.policy.ControllerKind;
import io.kipimo.schemas.policy.Policy;
import io.kipimo.schemas.policy.Signal;
import io.kipimo.schemas.quality.QualityWindow;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** For any input number, no invalid decision is published, and the loop recovers. */
class AdmissionBadValuesTest {
    private static final long WINDOW = 3 * SampleWindows.PERIOD;
    private static final AdmissionLoop LOOP = new AdmissionLoop();

    @ParameterizedTest
    @EnumSource(Signal.class)
    void inEveryFieldOfAWindow(Signal signal) throws InvalidRecordException {
        // Every controller on quality, and one on every signal.
        List<ControllerKind> kinds = signal == Signal.QUALITY
                ? List.of(ControllerKind.values())
                : Effort.first(1, ControllerKind.PID, ControllerKind.AIMD, ControllerKind.NO_CONTROL)
                        .toList();
        for (ControllerKind kind : kinds) {
            Policy policy = SampleWindows.policy(gains(SampleWindows.admission(kind, signal)), WINDOW);
            AdmissionState state = running(policy);
            long now = SampleWindows.START + 11 * SampleWindows.PERIOD;
            List<QualityWindow> windows = BadValues.inEveryNumberOf(SampleWindows.batch(0.85, now));
            assertThat(windows).hasSizeGreaterThan(9 * 19);
            for (QualityWindow bad : windows) {
                Step<AdmissionState, Decision> step = LOOP.step(state, bad, SampleWindows.at(policy, now));
                valid(step.decisions());
                goesOn(step.next(), policy, now);
            }
        }
    }

    @Test
    void inEveryFieldOfAPolicy() throws InvalidRecordException {
        Policy good = SampleWindows.policy(gains(SampleWindows.pid()), WINDOW);
        AdmissionState state = running(good);
        long now = SampleWindows.START + 11 * SampleWindows.PERIOD;
        List<Policy> policies = BadValues.policies(good).toList();
        assertThat(policies).hasSizeGreaterThan(200);
        for (Policy bad : policies) {
            Step<AdmissionState, Decision> step =
                    LOOP.step(state, SampleWindows.batch(0.85, now), SampleWindows.at(bad, now));
            valid(step.decisions());
            Step<AdmissionState, Decision> beat = LOOP.heartbeat(step.next(), SampleWindows.at(bad, now));
            valid(beat.decisions());
            goesOn(beat.next(), good, now);
        }
    }

    private static AdmissionPolicy gains(AdmissionPolicy admission) {
        return SampleWindows.gains(admission, 0.3, 0.015, 1);
    }

    private static AdmissionState running(Policy policy) {
        AdmissionState state = AdmissionState.initial();
        for (int i = 1; i <= 10; i++) {
            long now = SampleWindows.START + i * SampleWindows.PERIOD;
            state = LOOP.step(state, SampleWindows.batch(0.95, now), SampleWindows.at(policy, now))
                    .next();
        }
        return state;
    }

    /** A bad value has no effect on later steps. */
    private static void goesOn(AdmissionState state, Policy policy, long now) throws InvalidRecordException {
        AdmissionState next = state;
        for (int i = 1; i <= 5; i++) {
            long later = now + i * SampleWindows.PERIOD;
            Step<AdmissionState, Decision> step =
                    LOOP.step(next, SampleWindows.batch(0.85, later), SampleWindows.at(policy, later));
            valid(step.decisions());
            next = step.next();
        }
        valid(LOOP.heartbeat(next, SampleWindows.at(policy, now + 6 * SampleWindows.PERIOD))
                .decisions());
    }

    private static void valid(List<Decision> decisions) throws InvalidRecordException {
        for (Decision d : decisions) {
            ValidDecisions.check(d);
            assertThat(Codecs.DECISION.decode(Codecs.DECISION.encode(d))).isEqualTo(d);
        }
    }
}
