package io.kipimo.core.admission;

import static org.assertj.core.api.Assertions.assertThat;

import io.kipimo.core.guard.DecisionReason;
import io.kipimo.core.guard.Step;
import io.kipimo.schemas.decision.Decision;
import io.kipimo.schemas.policy.AdmissionPolicy;
import io.kipimo.schemas.policy.ControllerKind;
import io.kipimo.schemas.policy.Policy;
import io.kipimo.schemas.policy.Signal;
import io.kipimo.schemas.quality.Estimate;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

class AdmissionLoopPropertyTest {

    @Property(tries = 300, seed = "42")
    void anyHistoryGivesValidDecisionsWithinBoundsAndSlewThatRiseOnlyOnTheLowEnd(
            @ForAll ControllerKind kind,
            @ForAll Signal signal,
            @ForAll @DoubleRange(min = 0, max = 100) double kp,
            @ForAll @DoubleRange(min = 0, max = 10) double ki,
            @ForAll @DoubleRange(min = 0, max = 100) double kd,
            @ForAll @Size(min = 5, max = 40) List<@DoubleRange(min = 0, max = 1) Double> qualities,
            @ForAll @Size(min = 5, max = 40) List<@DoubleRange(min = 0, max = 0.3) Double> widths,
            @ForAll @IntRange(min = 0, max = 30) int expired) {
        AdmissionPolicy admission = SampleWindows.gains(SampleWindows.admission(kind, signal), kp, ki, kd);
        Policy policy = SampleWindows.policy(
                admission,
                3 * SampleWindows.PERIOD,
                List.of(SampleWindows.high(), SampleWindows.low("free", 2), SampleWindows.low("paid", 1)),
                false);
        AdmissionState state = AdmissionLoop.learn(
                AdmissionLoop.learn(AdmissionState.initial(), "free", 0.5, SampleWindows.START),
                "paid",
                0.5,
                SampleWindows.START);
        Map<String, Double> last = new HashMap<>();
        for (int i = 0; i < qualities.size(); i++) {
            long now = SampleWindows.START + (i + 1) * SampleWindows.PERIOD;
            double q = qualities.get(i);
            double w = widths.get(i % widths.size());
            Optional<Estimate> estimate = Optional.of(new Estimate(Math.max(0, q - w), q, Math.min(1, q + w)));
            Step<AdmissionState, Decision> step = new AdmissionLoop()
                    .step(
                            state,
                            SampleWindows.batch(now, estimate, estimate, 100, Math.round(100 * (1 - q)), 30, expired),
                            SampleWindows.at(policy, now));
            state = step.next();
            double admitted = last.getOrDefault("search/free", 0.5) + last.getOrDefault("search/paid", 0.5);
            for (Decision d : step.decisions()) {
                ValidDecisions.check(d);
                if (d.scope().endsWith("high")) {
                    continue;
                }
                assertThat(d.value()).isBetween(0.05, 1.0);
                double before = last.getOrDefault(d.scope(), 0.5);
                assertThat(d.previous()).isEqualTo(before);
                boolean isBack = d.reason().equals(DecisionReason.SHEDDING_DOES_NOT_HELP.name());
                if (kind != ControllerKind.NO_CONTROL && !isBack) {
                    assertThat(d.value() - before).isLessThanOrEqualTo(admitted + 1e-9);
                    assertThat(before - d.value()).isLessThanOrEqualTo(0.5 * admitted + 1e-9);
                }
                if (kind != ControllerKind.NO_CONTROL && !isBack && d.value() > before) {
                    assertThat(d.low()).isGreaterThanOrEqualTo(d.objective());
                }
                if (kind != ControllerKind.NO_CONTROL && d.value() < before) {
                    assertThat(d.measured()).isLessThan(d.objective());
                    double timeOuts = Math.round(100 * (1 - q)) / 100.0;
                    assertThat(d.high() < d.objective() || (timeOuts > 0 && expired < 30))
                            .as("evidence that quality is bad")
                            .isTrue();
                }
                last.put(d.scope(), d.value());
            }
        }
    }
}
