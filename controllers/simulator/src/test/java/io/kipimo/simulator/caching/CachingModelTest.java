package io.kipimo.simulator.caching;

import static org.assertj.core.api.Assertions.assertThat;

import io.kipimo.core.Effort;
import io.kipimo.core.ttl.TtlSettings;
import io.kipimo.simulator.caching.CachingSpec.Mode;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Ten million reads with {@code -Dcaching.reads=10000000}. */
class CachingModelTest {
    private static final long READS = Long.getLong("caching.reads", Effort.of(90_000, 600_000));

    /** How often a client asks for the filter, milliseconds. */
    private static final List<Long> REFRESHES =
            Effort.first(1, 1000L, 200L, 5000L).toList();

    /** Few keys, many writes, short intervals, so that errors show. */
    private static final CachingSpec HARSH = CachingSpec.PAPER
            .withRecords(200)
            .withQueries(20)
            .withWriteShare(0.02)
            .withTtls(new TtlSettings(0.5, 0.7, 50, 4_000, 8_000, 0));

    @Test
    void noReadIsStalerThanDeltaAndSessionsNeverGoBack() {
        for (long refresh : REFRESHES) {
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

    /**
     * Stale keys come from the shared cache, while a fifth of the purges is lost and answers overtake purges by
     * seconds. Purges alone break the promise on the same operations.
     */
    @Test
    void copiesThatProveTheirAgeAreSafeWhateverBecomesOfPurges() {
        CachingSpec disorder = HARSH.withLostPurgeShare(0.2).withSlowShare(0.02).withEvaluationTimes(true);
        for (long refresh : REFRESHES) {
            for (long sharedTtl : new long[] {0, 4_000}) {
                CachingSpec spec = disorder.withRefreshMillis(refresh).withSharedTtlMillis(sharedTtl);
                CachingResult proven = CachingModel.run(spec, refresh, READS / 6);
                assertThat(proven.tooStale()).as("%s", spec).isZero();
                assertThat(proven.backwards()).as("%s", spec).isZero();
                assertThat(proven.ownWritesMissed()).as("%s", spec).isZero();
            }
        }
        assertThat(CachingModel.run(disorder.withMode(Mode.PURGE), 1, READS / 6).tooStale())
                .isPositive();
    }

    /** Fewer requests reach the origin than when every stale key is revalidated there. */
    @Test
    void copiesThatProveTheirAgeSaveRevalidations() {
        CachingSpec paper = CachingSpec.PAPER.withLoad(100, 6, 10);
        CachingResult atTheOrigin = CachingModel.run(paper, 1, READS);
        CachingResult proven = CachingModel.run(paper.withEvaluationTimes(true), 1, READS);
        assertThat(proven.originReads()).isLessThan(atTheOrigin.originReads() * 2 / 3);
        assertThat(proven.tooStale()).isZero();
    }

    /** The filter comes by the clients' own requests, so staleness follows the interval. */
    @Test
    void stalenessFollowsTheRefreshInterval() {
        CachingResult often = CachingModel.run(CachingSpec.PAPER, 1, READS);
        CachingResult seldom = CachingModel.run(CachingSpec.PAPER.withRefreshMillis(10_000), 1, READS);
        assertThat(seldom.staleQueryShare()).isGreaterThan(4 * often.staleQueryShare());
        assertThat(seldom.clientQueryHitRate()).isGreaterThan(often.clientQueryHitRate());
        assertThat(seldom.tooStale() + often.tooStale()).isZero();
    }

    @Test
    void withoutTheFilterReadsAreStalerAndSessionsDoGoBack() {
        CachingResult result = CachingModel.run(HARSH.withMode(Mode.TTL_ONLY), 1, READS / 2);
        assertThat(result.tooStale()).isPositive();
        assertThat(result.backwards()).isPositive();
        assertThat(result.ownWritesMissed()).isPositive();
    }

    @Test
    void cachesMakeReadsFaster() {
        CachingResult none = CachingModel.run(CachingSpec.PAPER.withMode(Mode.NO_CACHES), 1, 50_000);
        CachingResult all = CachingModel.run(CachingSpec.PAPER, 1, 50_000);
        assertThat(none.staleQueryReads()).isZero();
        assertThat(all.meanLatencyMillis()).isLessThan(none.meanLatencyMillis() / 2);
    }

    /** More queries cover more of the records (Quaestor, fig. 8d), and no promise breaks. */
    @Test
    void recordsOfResultsAreHitsWithoutBreakingPromises() {
        CachingSpec some = CachingSpec.PAPER.withRecords(2_000).withQueries(400);
        // The longer the run, the more records are copies already: 1.18 times as many hits after 300,000 reads.
        CachingResult without = CachingModel.run(some, 1, 45_000);
        CachingResult with = CachingModel.run(some.withRecordsOfResults(true), 1, 45_000);
        assertThat(with.clientRecordHitRate()).isGreaterThan(1.2 * without.clientRecordHitRate());
        assertThat(with.meanRecordLatencyMillis()).isLessThan(without.meanRecordLatencyMillis());
        CachingSpec harsh = HARSH.withLostPurgeShare(0.2).withSlowShare(0.02).withRecordsOfResults(true);
        for (CachingSpec spec : new CachingSpec[] {harsh, harsh.withEvaluationTimes(true)}) {
            CachingResult result = CachingModel.run(spec, 3, READS / 6);
            assertThat(result.tooStale()).as("%s", spec).isZero();
            assertThat(result.backwards()).as("%s", spec).isZero();
            assertThat(result.ownWritesMissed()).as("%s", spec).isZero();
        }
    }

    @Test
    void latenciesByPlaceAreThoseOfTheWays() {
        CachingResult result = CachingModel.run(CachingSpec.PAPER.withEvaluationTimes(true), 1, READS / 2);
        assertThat(result.meanSharedLatencyMillis()).isBetween(4.0, 30.0);
        assertThat(result.meanOriginLatencyMillis()).isBetween(145.0, 175.0);
        assertThat(result.meanQueryLatencyMillis()).isLessThan(result.meanRecordLatencyMillis());
    }

    @Test
    void theSameSeedGivesTheSameResult() {
        assertThat(CachingModel.run(HARSH, 7, 20_000)).isEqualTo(CachingModel.run(HARSH, 7, 20_000));
        assertThat(CachingModel.run(HARSH, 7, 20_000)).isNotEqualTo(CachingModel.run(HARSH, 8, 20_000));
    }
}
