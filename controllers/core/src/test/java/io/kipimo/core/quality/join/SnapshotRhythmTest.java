package io.kipimo.core.quality.join;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SnapshotRhythmTest {
    private static int changes(SnapshotRhythm rhythm, long nowMillis) {
        return rhythm.changes(nowMillis, 100, 1_100);
    }

    @Test
    void withoutAPlanTheFirstSnapshotMayComeAtAnyTime() {
        assertThat(changes(new SnapshotRhythm(5, 0), 6)).isEqualTo(100);
        assertThat(changes(new SnapshotRhythm(5, 1_000), 6)).isEqualTo(1_100);
    }

    @Test
    void changesGatherAndAreWrittenBeforeTheNextSnapshot() {
        SnapshotRhythm rhythm = new SnapshotRhythm(0, 0).after(10_000);

        assertThat(changes(rhythm, 10_000)).isEqualTo(1_100);
        assertThat(changes(rhythm, 17_500)).isEqualTo(1_100);
        assertThat(changes(rhythm, 18_500)).isEqualTo(600);
        assertThat(changes(rhythm, 19_500)).isEqualTo(100);
        assertThat(changes(rhythm, 60_000)).as("a late one").isEqualTo(100);
    }

    @Test
    void theLastIntervalCounts() {
        SnapshotRhythm rhythm = new SnapshotRhythm(0, 0).after(10_000).after(12_000);

        assertThat(changes(rhythm, 12_900)).isEqualTo(1_100);
        assertThat(changes(rhythm, 13_900)).isEqualTo(100);
        assertThat(changes(rhythm.after(12_000), 12_000)).as("two at once").isEqualTo(100);
    }
}
