package io.kipimo.core.tails;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class LatencySketchTest {
    @Test
    void withoutLatenciesEveryFigureIs0() {
        LatencySketch none = new LatencySketch();
        assertThat(none.isEmpty()).isTrue();
        assertThat(none.quantileMicros(0.99)).isZero();
        assertThat(none.meanMicros()).isZero();
        assertThat(none.minimumMicros()).isZero();
        assertThat(none.maximumMicros()).isZero();
        assertThat(none.coefficientOfVariation()).isZero();
        assertThat(none.toBytes()).isEmpty();
        assertThat(LatencySketch.fromBytes(none.toBytes())).isEqualTo(none);
    }

    @Test
    void holdsZerosAndTheLongestTimes() {
        LatencySketch sketch = LatencySketch.of(0, 0, Long.MAX_VALUE / 4);
        assertThat(sketch.quantileMicros(0.5)).isZero();
        assertThat(sketch.shareAtMost(0)).isEqualTo(2.0 / 3, within(1e-12));
        assertThat(sketch.quantileMicros(1)).isCloseTo(0x1p61, within(0x1p61 * 0.01));
        assertThat(LatencySketch.fromBytes(sketch.toBytes())).isEqualTo(sketch);
    }

    /** A day of long requests: the sum of their squares exceeds a long. */
    @Test
    void spreadIsExactBeyondWhatALongHolds() {
        LatencySketch sketch = new LatencySketch();
        for (int i = 0; i < 2_000; i++) {
            sketch.record(i % 2 == 0 ? 100_000_000_000L : 300_000_000_000L);
        }
        assertThat(sketch.coefficientOfVariation()).isEqualTo(0.5, within(1e-12));
    }

    @Test
    void refusesWhatCannotBe() {
        assertThatThrownBy(() -> new LatencySketch().record(-1)).hasMessageContaining("-1");
        assertThatThrownBy(() -> new LatencySketch().quantileMicros(1.1)).hasMessageContaining("allowed: 0..1");
        assertThatThrownBy(() -> LatencySketch.fromBytes(new byte[1])).isInstanceOf(IllegalArgumentException.class);
        byte[] bytes = LatencySketch.of(1, 2, 3).toBytes();
        bytes[0] = 9;
        assertThatThrownBy(() -> LatencySketch.fromBytes(bytes)).hasMessageContaining("version 9");
    }
}
