package io.kipimo.harness.soak;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kipimo.harness.soak.Vitals.VitalFigure;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntToDoubleFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class FlatnessTest {
    private static List<Vitals> samples(VitalFigure figure, int count, IntToDoubleFunction value) {
        return IntStream.range(0, count)
                .mapToObj(i -> {
                    Map<VitalFigure, Double> figures = new EnumMap<>(VitalFigure.class);
                    figures.put(figure, value.applyAsDouble(i));
                    return new Vitals(figures);
                })
                .toList();
    }

    @ParameterizedTest
    @EnumSource
    void aLeakIsFoundWhateverTheNoise(VitalFigure figure) {
        double unit = figure.slack();
        List<Vitals> leak = samples(figure, 40, i -> 10 * unit + (i % 2) * 0.1 * unit + i * 0.2 * unit);

        assertThat(Flatness.of(figure, leak).isFlat()).isFalse();
    }

    /** Growth during warm-up, or of a process that was just started, is not a leak. */
    @ParameterizedTest
    @EnumSource
    void noiseAndWarmingUpAreFlat(VitalFigure figure) {
        double unit = figure.slack();
        List<Vitals> steady = samples(figure, 40, i -> i < 10 ? i * unit : 10 * unit + (i % 3) * 0.5 * unit);

        assertThat(Flatness.of(figure, steady).isFlat()).isTrue();
    }

    @Test
    void tooFewSamplesTellNothing() {
        assertThatThrownBy(() -> Flatness.of(VitalFigure.THREADS, samples(VitalFigure.THREADS, 7, i -> 1)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("7 samples; allowed: at least 8");
    }
}
