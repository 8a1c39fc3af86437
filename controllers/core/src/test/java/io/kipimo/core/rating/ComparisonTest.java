package io.kipimo.core.rating;

import static org.assertj.core.api.Assertions.assertThat;

import io.kipimo.schemas.rating.RatingTechnique;
import java.util.List;
import org.junit.jupiter.api.Test;

class SubjectComparisonTest {
    private static List<Comparison> of(List<Comparison> all, RatingTechnique technique) {
        return all.stream().filter(c -> c.technique() == technique).toList();
    }

    @Test
    void goldenIsExactApproximateIsNotAndAdaptiveIsAlmostWithHalfTheExperiments() {
        List<Comparison> all = Comparison.all(0, 1, 1);
        List<Comparison> golden = of(all, RatingTechnique.GOLDEN);
        List<Comparison> approximate = of(all, RatingTechnique.APPROXIMATE);
        List<Comparison> adaptive = of(all, RatingTechnique.ADAPTIVE);

        assertThat(golden).hasSize(21).allMatch(c -> c.accurate() == 1);
        assertThat(approximate).anyMatch(c -> c.worstError() > 0.08);
        for (int i = 0; i < golden.size(); i++) {
            assertThat(approximate.get(i).experiments())
                    .isLessThan(golden.get(i).experiments());
            assertThat(adaptive.get(i).worstError()).isLessThanOrEqualTo(0.001);
        }
        assertThat(experimentsFrom10000(adaptive)).isLessThanOrEqualTo(experimentsFrom10000(golden) / 2);
    }

    private static double experimentsFrom10000(List<Comparison> of) {
        return of.stream()
                .filter(c -> c.rating() >= 1e4)
                .mapToDouble(Comparison::experiments)
                .sum();
    }

    @Test
    void under5PercentNoiseAdaptiveIsTheMostAccurate() {
        List<Comparison> all = Comparison.all(0.05, 30, 1);
        List<Comparison> adaptive = of(all, RatingTechnique.ADAPTIVE);
        List<Comparison> golden = of(all, RatingTechnique.GOLDEN);

        assertThat(adaptive).allMatch(c -> c.worstError() < 0.15);
        assertThat(of(all, RatingTechnique.APPROXIMATE)).anyMatch(c -> c.worstError() > 0.2);
        assertThat(experimentsFrom10000(adaptive)).isLessThanOrEqualTo(0.6 * experimentsFrom10000(golden));
    }
}
