package io.kipimo.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class PresentBoundTest {
    private static final int TIMES = 1_000;

    private long clockMillis = 1_000_000;
    private int readings;
    private final PresentBound present = new PresentBound(() -> {
        readings++;
        return clockMillis;
    });

    @Test
    void aTimeIsBoundedByTheClockAsItIsNow() {
        SplittableRandom random = new SplittableRandom(5);
        for (int i = 0; i < TIMES; i++) {
            clockMillis += random.nextInt(20);
            long millis = clockMillis + random.nextInt(-50, 50);
            assertThat(present.atMost(millis)).isEqualTo(Math.min(millis, clockMillis));
        }
    }

    @Test
    void theTimesOfABacklogNeedOneReading() {
        for (int i = 0; i < TIMES; i++) {
            present.atMost(clockMillis - TIMES + i);
        }
        assertThat(readings).isEqualTo(1);
    }
}
