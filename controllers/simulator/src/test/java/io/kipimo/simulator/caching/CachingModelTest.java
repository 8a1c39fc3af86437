package io.kipimo.simulator.caching;

import static org.assertj.core.api.Assertions.assertThat;

import io.kipimo.simulator.caching.CachingSpec.Mode;
import org.junit.jupiter.api.Test;

/** Ten million reads with {@code -Dcaching.reads=10000000}. */
class CachingModelTest {
    private static final long READS = Long.getLong("caching.reads", 600_000);

    /** Few keys, many writes, short intervals, so that errors show. */
    private static final CachingSpec HARSH =
            CachingSpec.PAPER.withRecords(200, 20).withWriteShare(0.02).withTtls(50, 4_000);

    @Test
    void noReadIsStalerThanDeltaAndSessionsNeverGoBack() {
        for (long refresh : new long[] {200, 1000, 5000}) {
            for (Mode mode : new Mode[] {Mode.FILTER, Mode.ALL}) {
                CachingSpec spec = HARSH.withRefreshMillis(refresh).withMode(mode);
                CachingResult result = CachingModel.run(spec, refresh, READS / 6);
                assertThat(result.tooStale()).as("%s", spec).isZero();
                assertThat(result.backwards()).as("%s", spec).isZero();
                assertThat(result.ownWritesMissed()).as("%s", spec).isZero();
                assertThat(result.clientHits()).as("%s", spec).isPositive();
                assertThat(result.staleQueryReads()).as("%s", spec).isPositive();
            }
        }
    }

    @Test
    void withoutTheFilterReadsAreStalerAndSessionsDoGoBack() {
        CachingResult result = CachingModel.run(HARSH.withMode(Mode.TTL_ONLY), 1, 100_000);
        assertThat(result.tooStale()).isPositive();
        assertThat(result.backwards()).isPositive();
        assertThat(result.ownWritesMissed()).isPositive();
    }

    @Test
    void cachesMakeReadsFaster() {
        CachingResult none =
                CachingModel.run(CachingSpec.PAPER.withMode(Mode.NO_CACHES), 1, 50_000);
        CachingResult all = CachingModel.run(CachingSpec.PAPER, 1, 50_000);
        assertThat(none.staleQueryReads()).isZero();
        assertThat(all.meanLatencyMillis()).isLessThan(none.meanLatencyMillis() / 2);
    }

    @Test
    void theSameSeedGivesTheSameResult() {
        assertThat(CachingModel.run(HARSH, 7, 20_000))
                .isEqualTo(CachingModel.run(HARSH, 7, 20_000));
        assertThat(CachingModel.run(HARSH, 7, 20_000))
                .isNotEqualTo(CachingModel.run(HARSH, 8, 20_000));
    }
}
