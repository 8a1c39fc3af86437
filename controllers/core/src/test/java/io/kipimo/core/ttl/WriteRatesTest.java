package io.kipimo.core.ttl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import org.junit.jupiter.api.Test;

class WriteRatesTest {
    private static final long WINDOW_MILLIS = 60_000;

    @Test
    void anEvenRateIsMeasuredAsItIs() {
        WriteRates rates = new WriteRates(WINDOW_MILLIS, 1, 0);
        for (long now = 0; now < 300_000; now += 500) {
            rates.wrote("a", now);
        }
        assertThat(rates.perSecond("a", 300_000)).isEqualTo(2, within(0.01));
        assertThat(rates.perSecond("a", 330_000)).isEqualTo(1, within(0.01));
        assertThat(rates.perSecond("a", 360_000)).isZero();
    }

    @Test
    void sampledWritesCountForThoseThatWereNotTold() {
        WriteRates rates = new WriteRates(WINDOW_MILLIS, 0.1, 0);
        for (long now = 0; now < 120_000; now += 1000) {
            rates.wrote("a", now);
        }
        assertThat(rates.perSecond("a", 120_000)).isEqualTo(10, within(0.1));
    }

    @Test
    void aWindowThatHasJustBegunIsNotTakenForAQuietOne() {
        WriteRates rates = new WriteRates(WINDOW_MILLIS, 1, 0);
        for (long now = 0; now < 3_000; now += 100) {
            rates.wrote("a", now);
        }
        assertThat(rates.perSecond("a", 3_000)).isEqualTo(10, within(0.1));
    }

    @Test
    void theRateOfAResultIsTheSumOfItsRecords() {
        WriteRates rates = new WriteRates(WINDOW_MILLIS, 1, 0);
        for (long now = 0; now < 60_000; now += 1000) {
            rates.wrote("a", now);
            rates.wrote("b", now);
        }
        assertThat(rates.perSecond(List.of("a", "b", "never"), 60_000)).isEqualTo(2, within(0.01));
    }

    @Test
    void recordsThatAreNotWrittenAreLetGo() {
        WriteRates rates = new WriteRates(WINDOW_MILLIS, 1, 0);
        for (int i = 0; i < 1_000; i++) {
            rates.wrote("record-" + i, 0);
        }
        rates.wrote("later", 3 * WINDOW_MILLIS);
        assertThat(rates.size()).isEqualTo(1);
    }
}
