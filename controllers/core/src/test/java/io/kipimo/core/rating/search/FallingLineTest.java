package io.kipimo.core.rating.search;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.kipimo.core.rating.ExperimentReading;
import io.kipimo.core.rating.Verdict;
import io.kipimo.core.rating.model.QuadraticModel;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class FallingLineTest {
    private static final double NOISE = 0.05;

    private static List<ExperimentReading> readings(long... loads) {
        List<ExperimentReading> readings = new ArrayList<>();
        for (long load : loads) {
            readings.add(QuadraticModel.of(1e6).at(load));
        }
        return readings;
    }

    @Test
    void readingsWithoutNoiseGiveTheParabolaItself() {
        FallingLine line = FallingLine.of(readings(10, 500, 1_600), NOISE);

        assertThat(line.peak()).isCloseTo(1_000, within(1e-6));
        assertThat(line.throughput()).isCloseTo(1e6, within(1e-3));
        assertThat(line.holds()).isTrue();
    }

    /** Two readings: dr / (1 - r) with r = z2 / z1 = 0.1 of two readings that are each 5 % off. */
    @Test
    void errorIsThatOfTheRatioOfWhatIsServedPerLoad() {
        FallingLine line = FallingLine.of(readings(1, 1_800), NOISE);

        assertThat(line.error()).isCloseTo(0.1 * Math.sqrt(2) * NOISE / 0.9, within(2e-5));
    }

    @Test
    void errorIsWhatItLooksLike() {
        long[] loads = {1, 2, 16, 256, 1_250, 1_700, 500, 1_000};
        FallingLine expected = FallingLine.of(readings(loads), NOISE);
        SplittableRandom random = new SplittableRandom(4711);
        double squares = 0;
        int runs = 2_000;
        for (int run = 0; run < runs; run++) {
            List<ExperimentReading> noisy =
                    readings(loads).stream()
                            .map(
                                    r ->
                                            new ExperimentReading(
                                                    r.load(),
                                                    r.throughput()
                                                            * (1 + NOISE * random.nextGaussian()),
                                                    r.verdict()))
                            .toList();
            double off = FallingLine.of(noisy, NOISE).peak() / 1_000 - 1;
            squares += off * off;
        }

        assertThat(Math.sqrt(squares / runs))
                .isCloseTo(expected.error(), within(0.1 * expected.error()));
    }

    @Test
    void aReadingNearTheEndReducesTheErrorMoreThanOneAtThePeak() {
        FallingLine line = FallingLine.of(readings(1, 800), NOISE);

        assertThat(line.errorWith(1_800))
                .isLessThan(line.errorWith(1_000))
                .isLessThan(line.error());
    }

    @Test
    void aCurveOfAnotherKindDoesNotHold() {
        List<ExperimentReading> tail = new ArrayList<>();
        for (long load : new long[] {1, 8, 16, 32, 60}) {
            tail.add(
                    new ExperimentReading(
                            load, 100 * load * Math.exp(-load / 20.0), Verdict.PASSED));
        }

        assertThat(FallingLine.of(tail, NOISE).holds()).isFalse();
    }

    @Test
    void whatDoesNotFallIsNoLine() {
        assertThat(FallingLine.of(readings(1, 2, 4), NOISE)).isNull();
        assertThat(FallingLine.of(readings(500, 500), NOISE)).isNull();
        assertThat(FallingLine.of(List.of(), NOISE)).isNull();
    }
}
