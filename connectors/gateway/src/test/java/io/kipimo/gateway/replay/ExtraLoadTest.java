package io.kipimo.gateway.replay;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ExtraLoadTest {
    private static final long MILLI_NANOS = 1_000_000;

    private final ExtraLoad load = new ExtraLoad(0.1);

    /** Ten queries of 100 ms each: replays may take 100 ms. */
    private void earnAHundredMillis() {
        for (int i = 0; i < 10; i++) {
            load.earn(100_000);
        }
    }

    @Test
    void theFirstBeginsAtOnceAndOthersWaitForTheirShare() {
        assertThat(load.isLeft(0)).isFalse();
        load.earn(100_000);
        assertThat(load.isLeft(0)).isTrue();
        for (int i = 0; i < 9; i++) {
            load.earn(100_000);
        }
        assertThat(load.isLeft(0)).isTrue();
        load.begin(0);
        load.end(0, 100 * MILLI_NANOS);
        assertThat(load.isLeft(100 * MILLI_NANOS)).isFalse();
        assertThat(load.spent()).isEqualTo(new ExtraLoad.SpentTime(1_000_000, 100_000));
    }

    @Test
    void beforeTheFirstHasEndedReplaysCountAsLongAsQueries() {
        earnAHundredMillis();
        load.begin(0);
        assertThat(load.isLeft(0)).isFalse();
        earnAHundredMillis();
        assertThat(load.isLeft(0)).isTrue();
    }

    @Test
    void thoseThatRunCountWithTheMean() {
        earnAHundredMillis();
        load.begin(0);
        load.end(0, 30 * MILLI_NANOS);
        load.begin(40 * MILLI_NANOS);
        assertThat(load.isLeft(40 * MILLI_NANOS)).as("90 of 100 ms").isTrue();
        load.begin(41 * MILLI_NANOS);
        assertThat(load.isLeft(41 * MILLI_NANOS)).as("120 of 100 ms").isFalse();
        load.end(40 * MILLI_NANOS, 42 * MILLI_NANOS);
        assertThat(load.spent().replayMicros()).isEqualTo(32_000);
    }

    @Test
    void aSlowOneCountsWhileItRuns() {
        earnAHundredMillis();
        load.begin(0);
        load.end(0, MILLI_NANOS);
        load.begin(MILLI_NANOS);
        assertThat(load.isLeft(50 * MILLI_NANOS)).isTrue();
        assertThat(load.isLeft(101 * MILLI_NANOS)).isFalse();
    }
}
