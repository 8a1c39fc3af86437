package io.kipimo.simulator.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import io.kipimo.core.Effort;
import org.junit.jupiter.api.Test;

/** Optional settings of a scenario. */
class SettingsTest {
    private static final int SECONDS = Effort.of(100, 300);

    /** Copies sent at once. */
    private static final SimulationResult.TierTotal AT_ONCE = tier(spare(""));

    private static Scenario of(String text) {
        return ScenarioReader.read(text, file -> file);
    }

    private static String spare(String arbiter) {
        return """
        name: copies
        seconds: %d
        seed: 3
        service:
          tiers:
            - name: server
              servers: 6
              cores: 2
              demand: {kind: lognormal, mean_millis: 20, variation: 1}
              factor: 2
              arbiter: {kind: tokens, tokens: 2%s}
              interference: {every_seconds: 40, length_seconds: 10, speed: 0.2}
          classes:
            - {name: all, arrivals: {kind: poisson, rate_per_second: 60}}
        """.formatted(SECONDS, arbiter);
    }

    @Test
    void hedgedCopies_areFarFewerThanCopiesSentAtOnce() {
        SimulationResult.TierTotal hedged = tier(spare(", hedge_quantile: 0.95, hedge_cap_millis: 200"));

        assertThat(AT_ONCE.executions()).isGreaterThan(AT_ONCE.calls() * 15 / 10);
        assertThat(hedged.executions()).isLessThan(hedged.calls() * 12 / 10);
        assertThat(hedged.executions()).isGreaterThan(hedged.calls());
    }

    @Test
    void cancelledLosers_giveTheirServersBack() {
        SimulationResult.TierTotal cancelled = tier(spare(", cancels_losers: true"));

        assertThat(cancelled.utilisation()).isLessThan(0.95 * AT_ONCE.utilisation());
        assertThat(cancelled.calls()).isEqualTo(AT_ONCE.calls());
    }

    private static SimulationResult.TierTotal tier(String text) {
        return Simulation.run(of(text)).tiers().get(0);
    }

    /** A narrower interval needs more samples, while nothing is shed. */
    @Test
    void adaptiveSampling_samplesMoreForANarrowerInterval() {
        long wide = measurements("0.05");
        long narrow = measurements("0.005");

        assertThat(narrow).isGreaterThan(2 * wide);
        assertThat(wide).isPositive();
    }

    private static long measurements(String halfWidth) {
        String text = BuiltIn.text("faults")
                .replace("safe_fraction: 0.5", "safe_fraction: 1")
                .replace("control:", "control:\n  controller: full_sharing")
                .replace("fixed_rate: 0.1", "target_half_width: " + halfWidth + ", maximum_rate: 0.5");
        return Simulation.run(of(text).withSeconds(SECONDS))
                .control()
                .orElseThrow()
                .measurements();
    }
}
