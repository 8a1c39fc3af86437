package io.kipimo.core.quality.join;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.kipimo.core.sampling.ConsistentSampling;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BacklogSamplingTest {
    private static final BacklogSampling.BacklogSettings SETTINGS =
            new BacklogSampling.BacklogSettings(10, 60_000, 5_000);
    private static final long NOW = 1_000_000_000;
    private static final long HOUR = 3_600_000;

    @ParameterizedTest
    @CsvSource({
        "1, 0, 1",
        "1, 59999, 1",
        "1, 60000, 2",
        "1, 119999, 2",
        "1, 120000, 3",
        "1, 3600000, 10",
        "10, 60000, 10",
        "10, 5000, 10",
        "10, 4999, 1",
        "3, 30000, 3"
    })
    void itGrowsWithTheBacklogAndEndsOnlyWhenThatIsRead(int weight, long behindMillis, int next) {
        assertThat(SETTINGS.next(weight, behindMillis)).isEqualTo(next);
    }

    @Test
    void impossibleSettingsAreRefused() {
        assertThatThrownBy(() -> new BacklogSampling.BacklogSettings(0, 2, 1)).hasMessageContaining("weight 0");
        assertThatThrownBy(() -> new BacklogSampling.BacklogSettings(10, 5, 5))
                .hasMessageContaining("0 <= end < begin");
    }

    @Test
    void aNewJobChoosesForAllThatItReads() {
        BacklogSampling sampling = new BacklogSampling(SETTINGS);
        assertThat(sampling.isFull()).isTrue();
        sampling.see(HOUR);
        assertThat(sampling.weight(0, 0)).isEqualTo(10);
        assertThat(sampling.weight(NOW, NOW)).isEqualTo(10);
    }

    /** Open queries are whole, and so are those that it read after the checkpoint from which it continues. */
    @Test
    void aJobThatContinuesMeasuresWhatItHadReadAsBefore() {
        BacklogSampling sampling = new BacklogSampling(SETTINGS);
        sampling.restore(new BacklogSampling.BacklogState(
                NOW, 30_000, BacklogSampling.BacklogState.full(NOW).changes()));
        sampling.see(HOUR);
        long from = NOW + 2 * 30_000 + BacklogSampling.LEAD_MILLIS;
        assertThat(sampling.weight(from - 1, from - 1)).isEqualTo(1);
        assertThat(sampling.weight(from, from)).isEqualTo(10);
        assertThat(sampling.weight(from - 1, from))
                .as("the lowest rate holds if the start is not known")
                .isEqualTo(10);
        assertThat(sampling.isOut(0, from - 1, from))
                .as("it may have begun before")
                .isFalse();
        assertThat(sampling.isOut(0, from, from + 1)).isTrue();
        assertThat(sampling.isOut(ConsistentSampling.threshold(0.1), from, from + 1))
                .isFalse();
    }

    @Test
    void itMeasuresAllAgainOnceItHasCaughtUp() {
        BacklogSampling sampling = new BacklogSampling(SETTINGS);
        sampling.see(HOUR);
        sampling.decide(NOW);
        sampling.see(10_000);
        sampling.decide(NOW + 1_000);
        assertThat(sampling.weight()).as("not yet").isEqualTo(10);
        sampling.see(4_000);
        sampling.decide(NOW + 9_000);
        // Two seconds have passed, in which the partition moved by eight.
        long from = NOW + 9_000 + 4_000 + 2 * 2_000 + BacklogSampling.LEAD_MILLIS;
        assertThat(sampling.weight(from - 1, from - 1)).isEqualTo(10);
        assertThat(sampling.weight(from, from)).isEqualTo(1);
    }

    /** While a backlog is read, a partition moves by many times the time that passes. */
    @Test
    void aJobThatReadTwentyTimesAsFastMeasuresAllSoonAfterItHasCaughtUp() {
        BacklogSampling sampling = new BacklogSampling(SETTINGS);
        long interval = 60_000;
        long now = NOW + 2 * HOUR;
        long reached = NOW;
        while (sampling.weight() > 1 || reached == NOW) {
            sampling.see(now - reached);
            sampling.decide(reached);
            now += interval;
            reached = Math.min(reached + 20 * interval, now - 1_000);
        }
        reached -= interval;
        assertThat(sampling.weight(reached, reached)).isEqualTo(10);
        long soon = reached + BacklogSampling.LEAD_MILLIS + 3 * interval;
        assertThat(sampling.weight(soon, soon)).isEqualTo(1);
    }

    @Test
    void aStrayThatComesFirstSeesTheRateToo() {
        BacklogSampling sampling = new BacklogSampling(SETTINGS);
        sampling.seeStray(HOUR);
        assertThat(sampling.weight(NOW, NOW)).isEqualTo(10);
        sampling.see(HOUR - 1);
        sampling.decide(NOW);
        sampling.see(HOUR - 2);
        sampling.seeStray(0);
        sampling.decide(NOW + 1_000);
        assertThat(sampling.weight()).as("the partition itself is behind").isEqualTo(10);
    }

    @Test
    void aStrayThatIsNotBehindLeavesTheChoiceToThePartition() {
        BacklogSampling sampling = new BacklogSampling(SETTINGS);
        sampling.seeStray(0);
        sampling.see(HOUR);
        assertThat(sampling.weight(0, 0)).isEqualTo(10);
    }

    @Test
    void aPartitionOfStraysOnlyMeasuresAllAgainToo() {
        BacklogSampling sampling = new BacklogSampling(SETTINGS);
        sampling.seeStray(HOUR);
        sampling.decide(NOW);
        sampling.decide(NOW);
        sampling.seeStray(100);
        sampling.decide(NOW);
        assertThat(sampling.weight()).isEqualTo(1);
    }

    @Test
    void aSilentPartitionSaysNothingOfTheJob() {
        BacklogSampling sampling = new BacklogSampling(SETTINGS);
        sampling.see(0);
        sampling.decide(NOW);
        sampling.decide(NOW);
        sampling.decide(NOW);
        assertThat(sampling.isFull()).isTrue();
        sampling.see(HOUR);
        sampling.decide(NOW);
        sampling.decide(NOW);
        assertThat(sampling.state().changes()).hasSize(2);
    }

    @Test
    void whereItIsTurnedOffAllAreMeasuredAgain() {
        BacklogSampling before = new BacklogSampling(SETTINGS);
        before.see(HOUR);
        before.decide(NOW);
        BacklogSampling after = new BacklogSampling(BacklogSampling.BacklogSettings.OFF);
        after.restore(before.state());
        after.decide(NOW + 1_000);
        assertThat(after.weight(NOW, NOW)).isEqualTo(10);
        assertThat(after.weight()).isEqualTo(1);
    }

    @Test
    void onlyTheLastChangesAreRemembered() {
        BacklogSampling sampling = new BacklogSampling(SETTINGS);
        for (int change = 0; change < 1_000; change++) {
            sampling.see(change % 2 * HOUR);
            sampling.decide(NOW + change * 60_000L);
        }
        assertThat(sampling.state().changes()).hasSize(BacklogSampling.MOST_CHANGES);
    }

    /** The estimator of Horvitz and Thompson: four standard deviations around the number of queries. */
    @Test
    void theMeasuredQueriesStandForAll() {
        BacklogSampling sampling = new BacklogSampling(SETTINGS);
        Random random = new Random(36);
        double sum = 0;
        double variance = 0;
        int queries = 100_000;
        for (int query = 0; query < queries; query++) {
            long start = NOW + 10L * query;
            if (query % 100 == 0) {
                sampling.see(random.nextInt(3) * random.nextLong(900_000));
                sampling.decide(start);
            }
            String id = "%016x%016x".formatted(random.nextLong() | 1, random.nextLong());
            int weight = sampling.weight(start, start);
            variance += weight - 1;
            sum += BacklogSampling.isIn(ConsistentSampling.randomness(id), weight) ? weight : 0;
        }
        assertThat(variance).as("some of them at a lower rate").isGreaterThan(queries);
        assertThat(sum).isCloseTo(queries, within(4 * Math.sqrt(variance)));
    }
}
