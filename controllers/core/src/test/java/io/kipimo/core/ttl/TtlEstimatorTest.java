package io.kipimo.core.ttl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class TtlEstimatorTest {
    private static final TtlSettings WIDE = new TtlSettings(0.5, 0.7, 1, 1_000_000, 2_000_000, 0);

    private static TtlSettings budget(double loss) {
        return new TtlSettings(0.5, 0.7, 1, 1_000_000, 2_000_000, loss);
    }

    /** Quaestor, eq. 1: -ln(1 - p) / lambda; at 0.1 writes a second and p = 0.5, 6.931 s. */
    @Test
    void aFirstTimeIsTheQuantileOfTheTimeToTheNextWrite() {
        TtlEstimator estimator = new TtlEstimator(WIDE);
        assertThat(estimator.recordMillis(0.1)).isEqualTo(6931);
        assertThat(estimator.queryMillis(estimator.read(null, 0.1, 0))).isEqualTo(6931);
    }

    @Test
    void theMeanIsTheQuantileAtOneLessOneOverE() {
        TtlSettings mean = new TtlSettings(1 - 1 / Math.E, 0.7, 1, 1_000_000, 2_000_000, 0);
        assertThat(new TtlEstimator(mean).recordMillis(0.1)).isBetween(9_999L, 10_000L);
    }

    @Test
    void whatIsNeverWrittenGetsTheLongestTime() {
        assertThat(new TtlEstimator(WIDE).recordMillis(0)).isEqualTo(1_000_000);
    }

    /** Quaestor, eq. 2, with the median instead of the mean: 0.7 * 6931 + 0.3 * ln 2 * 2000. */
    @Test
    void anInvalidationMovesTheEstimateTowardsWhatItReallyWas() {
        TtlEstimator estimator = new TtlEstimator(WIDE);
        CachedQuery read = estimator.read(null, 0.1, 50_000);
        CachedQuery changed = estimator.invalidated(read, 0, 52_000);
        assertThat(changed.meanMillis()).isEqualTo(0.7 * 10_000 + 0.3 * 2_000, within(1e-9));
        assertThat(estimator.queryMillis(changed)).isEqualTo((long) (Math.log(2) * 7_600));
        assertThat(estimator.read(changed, 99, 53_000).meanMillis()).isEqualTo(changed.meanMillis());
    }

    @Test
    void readsThatCachesDidNotKeepFromTheOriginDoNotMakeAResultLookShortLived() {
        TtlEstimator estimator = new TtlEstimator(WIDE);
        CachedQuery query = estimator.read(null, 0.1, 0);
        for (long now = 100; now < 10_000; now += 100) {
            query = estimator.read(query, 0.1, now);
        }
        CachedQuery changed = estimator.invalidated(query, 0, 10_000);
        assertThat(changed.meanMillis()).isEqualTo(10_000, within(1e-9));
        assertThat(estimator.invalidated(changed, 0, 10_001)).isEqualTo(changed);
    }

    @Test
    void estimatesLearnTheTrueMeanOfAPoissonProcess() {
        TtlEstimator estimator = new TtlEstimator(new TtlSettings(0.5, 0.99, 1, 1_000_000, 2_000_000, 0));
        SplittableRandom random = new SplittableRandom(3);
        CachedQuery query = estimator.read(null, 0, 0);
        double sum = 0;
        long now = 0;
        for (int i = 0; i < 4_000; i++) {
            query = estimator.read(query, 0, now);
            now += Math.round(-Math.log(1 - random.nextDouble()) * 5_000);
            query = estimator.invalidated(query, 0, now);
            sum += i >= 1_000 ? query.meanMillis() : 0;
        }
        assertThat(sum / 3_000).isEqualTo(5_000, within(250.0));
    }

    @Test
    void anUnreadQueryIsForgotten() {
        TtlEstimator estimator = new TtlEstimator(WIDE);
        CachedQuery old = estimator.invalidated(estimator.read(null, 1, 0), 0, 10);
        assertThat(estimator.isForgotten(old, 2_000_000)).isFalse();
        assertThat(estimator.read(old, 0.1, 2_000_001).isLearnt()).isFalse();
    }

    /** A share of 1 - (1 - exp(-x)) / x of the reads misses a change; at x = 1, 1/e. */
    @Test
    void aBudgetOfLossIsSpentAndNotMore() {
        assertThat(TtlEstimator.staleShare(1)).isEqualTo(1 / Math.E, within(1e-12));
        TtlEstimator estimator = new TtlEstimator(budget(1 / Math.E));
        assertThat(estimator.recordMillis(0.1)).isBetween(9_999L, 10_000L);
    }

    @Test
    void aChangeThatCostsLessMayBeMissedMoreOften() {
        TtlEstimator estimator = new TtlEstimator(budget(0.01));
        CachedQuery total = estimator.invalidated(estimator.read(null, 0.1, 0), 0, 10_000);
        CachedQuery slight = estimator.invalidated(estimator.read(null, 0.1, 0), 0.9, 10_000);
        assertThat(estimator.queryMillis(slight)).isGreaterThan(10 * estimator.queryMillis(total));
    }

    @Test
    void changesThatCostNothingNeverEndATime() {
        TtlEstimator estimator = new TtlEstimator(budget(0.01));
        CachedQuery same = estimator.invalidated(estimator.read(null, 0.1, 0), 1, 10_000);
        assertThat(estimator.queryMillis(same)).isEqualTo(1_000_000);
    }

    @Test
    void settingsSayWhatIsAllowed() {
        assertThatThrownBy(() -> new TtlSettings(0, 0.7, 1, 2, 3, 0))
                .hasMessage("change probability is 0.0; allowed: between 0 and 1");
        assertThatThrownBy(() -> new TtlSettings(0.5, 0.7, 9, 2, 3, 0))
                .hasMessageStartingWith("times to live are 9..2 ms");
    }
}
