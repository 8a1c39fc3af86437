package io.kipimo.core.quality.estimate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.NotEmpty;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class QualityHistogramTest {
    @Property(tries = 500, seed = "71")
    void quantilesAreThoseOfTheQualitiesToAThousandth(
            @ForAll @NotEmpty @Size(max = 60) List<@DoubleRange(max = 1) Double> qualities,
            @ForAll @DoubleRange(max = 1) double share) {
        List<Double> sorted = qualities.stream().sorted().toList();
        QualityHistogram histogram = of(qualities);
        int rank = Math.max(1, (int) Math.ceil(share * sorted.size() - 1e-6));
        assertThat(histogram.count()).isEqualTo(qualities.size());
        assertThat(histogram.quantile(share)).isCloseTo(sorted.get(rank - 1), within(0.001 + 1e-6));
        assertThat(histogram.minimum()).isCloseTo(sorted.get(0), within(0.001 + 1e-6));
    }

    @Property(tries = 500, seed = "72")
    void mergingEqualsCountingAll(
            @ForAll @Size(max = 40) List<@DoubleRange(max = 1) Double> first,
            @ForAll @Size(max = 40) List<@DoubleRange(max = 1) Double> second) {
        List<Double> all = new ArrayList<>(first);
        all.addAll(second);
        assertThat(of(first).plus(of(second)))
                .isEqualTo(of(second).plus(of(first)))
                .isEqualTo(of(all));
    }

    @Test
    void everyThousandthIsItsOwnBin() {
        for (int i = 0; i <= 1000; i++) {
            assertThat(QualityHistogram.EMPTY.add(i / 1000.0).bins()).containsExactly(i);
        }
    }

    @Test
    void shareBelowExcludesQualitiesAtTheObjective() {
        QualityHistogram twentieths =
                of(IntStream.rangeClosed(1, 20).mapToObj(i -> i / 20.0).toList());
        assertThat(twentieths.shareBelow(0.9)).isEqualTo(17 / 20.0);
        assertThat(twentieths.shareBelow(0)).isZero();
        assertThat(twentieths.shareBelow(1)).isEqualTo(19 / 20.0);
        assertThat(twentieths.quantile(0.05)).isEqualTo(0.05);
        assertThat(twentieths.quantile(0.5)).isEqualTo(0.5);
        assertThat(twentieths.quantile(1)).isEqualTo(1);
    }

    @Test
    void noQualityIsZeroThroughout() {
        assertThat(QualityHistogram.EMPTY.count()).isZero();
        assertThat(QualityHistogram.EMPTY.quantile(0.5)).isZero();
        assertThat(QualityHistogram.EMPTY.minimum()).isZero();
        assertThat(QualityHistogram.EMPTY.shareBelow(0.9)).isZero();
    }

    @Test
    void valuesOutOfRangeAreRejected() {
        assertThatIllegalArgumentException().isThrownBy(() -> QualityHistogram.EMPTY.add(1.01));
        assertThatIllegalArgumentException().isThrownBy(() -> QualityHistogram.EMPTY.add(Double.NaN));
        assertThatIllegalArgumentException().isThrownBy(() -> QualityHistogram.EMPTY.quantile(-0.1));
        assertThatIllegalArgumentException().isThrownBy(() -> new QualityHistogram(new int[] {5, 5}, new int[] {1, 1}));
        assertThatIllegalArgumentException().isThrownBy(() -> new QualityHistogram(new int[] {1001}, new int[] {1}));
        assertThatIllegalArgumentException().isThrownBy(() -> new QualityHistogram(new int[] {1}, new int[] {0}));
    }

    private static QualityHistogram of(List<Double> qualities) {
        QualityHistogram histogram = QualityHistogram.EMPTY;
        for (double quality : qualities) {
            histogram = histogram.add(quality);
        }
        return histogram;
    }
}
