package io.kipimo.sdk;

import static io.kipimo.sdk.SampleService.NOW;
import static io.kipimo.sdk.SampleService.sampling;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SamplingRatesTest {
    private static final long EFFECT = NOW + SamplingRates.PROPAGATION_MILLIS;

    private final SamplingRates rates = new SamplingRates(0.1);

    @Test
    void theInitialRateHoldsBeforeTheFirstDecision() {
        assertThat(rates.rateAt(NOW)).isEqualTo(0.1);
    }

    @Test
    void aRateHoldsForQueriesThatStartAfterIt() {
        rates.accept(sampling(1, 1, 0.2, NOW));
        assertThat(rates.rateAt(EFFECT - 1)).isEqualTo(0.1);
        assertThat(rates.rateAt(EFFECT)).isEqualTo(0.2);
    }

    @Test
    void queriesUnderWayKeepTheirRate() {
        rates.accept(sampling(1, 1, 0.2, NOW));
        rates.accept(sampling(1, 2, 0.3, NOW + 10_000));
        assertThat(rates.rateAt(EFFECT + 9_999)).isEqualTo(0.2);
        assertThat(rates.rateAt(EFFECT + 10_000)).isEqualTo(0.3);
    }

    @Test
    void afterTheLeaseTheInitialRateIsBack() {
        rates.accept(sampling(1, 1, 0.2, NOW));
        assertThat(rates.rateAt(EFFECT + 59_999)).isEqualTo(0.2);
        assertThat(rates.rateAt(EFFECT + 60_000)).isEqualTo(0.1);
    }

    @Test
    void olderDecisionsAreIgnored() {
        rates.accept(sampling(2, 1, 0.2, NOW));
        rates.accept(sampling(2, 1, 0.3, NOW));
        rates.accept(sampling(1, 9, 0.4, NOW));
        assertThat(rates.rateAt(EFFECT)).isEqualTo(0.2);
    }

    @Test
    void aNewControllerMayHaveAnEarlierClock() {
        rates.accept(sampling(1, 1, 0.2, NOW));
        rates.accept(sampling(2, 1, 0.3, NOW - 1_000));
        assertThat(rates.rateAt(EFFECT)).isEqualTo(0.3);
    }

    @Test
    void memoryIsBounded() {
        for (int i = 0; i < 1_000; i++) {
            rates.accept(sampling(1, i + 1, 0.2, NOW + i * 10_000L));
        }
        assertThat(rates.rateAt(NOW + 999 * 10_000L)).isEqualTo(0.2);
        assertThat(rates.rateAt(EFFECT)).as("forgotten").isEqualTo(0.1);
    }
}
