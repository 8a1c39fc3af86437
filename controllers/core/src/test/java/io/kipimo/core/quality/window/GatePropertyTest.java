package io.kipimo.core.quality.window;

import static org.assertj.core.api.Assertions.assertThat;

import io.kipimo.core.quality.SampleMeasurements;
import io.kipimo.schemas.quality.Estimate;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.IntRange;

class GatePropertyTest {
    @Property(tries = 500, seed = "4711")
    void aVerdictFollowsFromItsFigures(
            @ForAll long seed,
            @ForAll @IntRange(min = 0, max = 60) int samples,
            @ForAll @DoubleRange(min = 0, max = 1) double objective) {
        Random random = new Random(seed);
        GateEvidence evidence = GateEvidence.of("shop", "high", SampleMeasurements.METRIC, 1, 1_000_000)
                .with(SampleMeasurements.second(1, samples * 10L, samples * 5L));
        for (int i = 0; i < samples; i++) {
            evidence = evidence.with(
                    random.nextBoolean()
                            ? SampleMeasurements.clean(i + 1)
                            : SampleMeasurements.degraded(i + 1, SampleMeasurements.late("a", random.nextDouble())));
        }
        GateResult result = Gate.verdict(evidence, new GateRule(objective, 0, 20));

        if (samples < 20) {
            assertThat(result.verdict()).isEqualTo(GateVerdict.NOT_ENOUGH);
        } else {
            Estimate quality = result.candidate().orElseThrow();
            switch (result.verdict()) {
                case PASS -> assertThat(quality.low()).isGreaterThanOrEqualTo(objective);
                case FAIL -> assertThat(quality.high()).isLessThan(objective);
                case NOT_ENOUGH -> {
                    assertThat(quality.low()).isLessThan(objective);
                    assertThat(quality.high()).isGreaterThanOrEqualTo(objective);
                }
            }
        }
    }
}
