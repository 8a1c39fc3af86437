package io.kipimo.core.sampling;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class ReplayScheduleTest {
    private static final long NOW = 1_000_000;

    private static ReplayTrigger decide(
            int queued, long leftMillis, double interarrival, int outstanding, double quartile) {
        return ReplaySchedule.decide(
                new ReplayLoad(queued, NOW + leftMillis, 20, interarrival, outstanding, quartile), NOW);
    }

    @Test
    void nothingToReplayIsNotReplayed() {
        assertThat(decide(0, 0, 1_000, 0, 5)).isEqualTo(ReplayTrigger.WAIT);
    }

    /** Ubora, sec. 6.4: the product of queue size and mean execution time, compared with the remaining time. */
    @Test
    void aQueueTooLongForTheTimeLeftStartsAtOnce() {
        assertThat(decide(10, 201, 1, 50, 0)).isEqualTo(ReplayTrigger.WAIT);
        assertThat(decide(10, 200, 1, 50, 0)).isEqualTo(ReplayTrigger.EXPIRING);
    }

    @Test
    void anIdleFrontEndReplaysOnlyIfTheNextQueryIsLikelyToComeAfterIt() {
        assertThat(decide(1, 5_000, 21, 0, 0)).isEqualTo(ReplayTrigger.IDLE);
        assertThat(decide(1, 5_000, 20, 0, 0)).isEqualTo(ReplayTrigger.WAIT);
        assertThat(decide(1, 5_000, 21, 1, 0)).isEqualTo(ReplayTrigger.WAIT);
        assertThat(decide(1, 5_000, Double.POSITIVE_INFINITY, 0, 0)).isEqualTo(ReplayTrigger.IDLE);
    }

    @Test
    void fewerQueriesThanInThreeQuartersOfTheTimeLetOneThrough() {
        assertThat(decide(1, 5_000, 1, 2, 3)).isEqualTo(ReplayTrigger.SHORT_QUEUE);
        assertThat(decide(1, 5_000, 1, 3, 3)).isEqualTo(ReplayTrigger.WAIT);
    }

    /** A waiting replay still starts before its expiry. */
    @Property
    void expiringQueriesAreReplayedNow(
            @ForAll @IntRange(min = 1, max = 10_000) int queued,
            @ForAll @DoubleRange(min = 0, max = 1e6) double execution,
            @ForAll @IntRange(max = 1_000) int outstanding) {
        ReplayLoad load = new ReplayLoad(queued, NOW, execution, 0, outstanding, 0);
        assertThat(ReplaySchedule.decide(load, NOW)).isEqualTo(ReplayTrigger.EXPIRING);
    }

    @Test
    void impossibleFiguresAreRefused() {
        assertThatThrownBy(() -> new ReplayLoad(-1, 0, 0, 0, 0, 0))
                .hasMessage("queued is -1, outstanding is 0; allowed: 0 or more");
        assertThatThrownBy(() -> new ReplayLoad(0, 0, Double.NaN, 0, 0, 0)).hasMessageContaining("execution NaN ms");
    }
}
