package io.kipimo.core.rating.model;

import static org.assertj.core.api.Assertions.assertThat;

import io.kipimo.core.rating.search.Technique;
import java.util.List;
import org.junit.jupiter.api.Test;

class SubjectComparisonTest {
    private static List<Comparison> of(List<Comparison> all, Technique technique) {
        return all.stream().filter(c -> c.technique() == technique).toList();
    }

    @Test
    void goldenIsExactApproximateIsNotAndAdaptiveIsAlmostWithHalfTheExperiments() {
        List<Comparison> all = Comparison.all(0, 1, 1);
        List<Comparison> golden = of(all, Technique.GOLDEN);
        List<Comparison> approximate = of(all, Technique.APPROXIMATE);
        List<Comparison> adaptive = of(all, Technique.ADAPTIVE);

        assertThat(golden).hasSize(21).allMatch(c -> c.accurate() == 1);
        assertThat(approximate).anyMatch(c -> c.worstError() > 0.08);
        for (int i = 0; i < golden.size(); i++) {
            assertThat(approximate.get(i).experiments()).isLessThan(golden.get(i).experiments());
            assertThat(adaptive.get(i).worstError()).isLessThanOrEqualTo(0.001);
            if (golden.get(i).rating() >= 1e4) {
                assertThat(2 * adaptive.get(i).experiments())
                        .isLessThanOrEqualTo(golden.get(i).experiments());
            }
        }
    }

    @Test
    void under5PercentNoiseOnlyAdaptiveIsRight_withHalfOfGoldensExperiments() {
        List<Comparison> all = Comparison.all(0.05, 20, 1);
        List<Comparison> adaptive = of(all, Technique.ADAPTIVE);
        List<Comparison> golden = of(Comparison.all(0, 1, 1), Technique.GOLDEN);

        assertThat(adaptive).allMatch(c -> c.accurate() == 1);
        for (int i = 0; i < golden.size(); i++) {
            if (golden.get(i).rating() >= 1e4) {
                assertThat(2 * adaptive.get(i).experiments())
                        .as("%s", golden.get(i))
                        .isLessThanOrEqualTo(golden.get(i).experiments());
            }
        }
        assertThat(of(all, Technique.GOLDEN)).noneMatch(c -> c.accurate() == 1 && c.rating() > 1e3);
        assertThat(of(all, Technique.APPROXIMATE)).anyMatch(c -> c.worstError() > 0.08);
    }
}
