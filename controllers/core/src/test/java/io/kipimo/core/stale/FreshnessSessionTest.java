package io.kipimo.core.stale;

import static io.kipimo.core.stale.FreshnessSession.FreshnessVerdict;
import static io.kipimo.core.stale.FreshnessSession.ReadName;
import static io.kipimo.core.stale.FreshnessSession.RequestWay;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class FreshnessSessionTest {
    private static final FlatFilter NOTHING = FlatFilter.empty(FilterShape.ONE_ROUND_TRIP);

    private final FreshnessSession session = new FreshnessSession(new FreshnessSettings(1000, 2));

    private static FlatFilter stale(String key) {
        ExpiringFilter filter = new ExpiringFilter(FilterShape.ONE_ROUND_TRIP, 60_000);
        filter.reportRead(key, 60_000, 0);
        filter.invalidate(key, 1);
        return filter.flat(1);
    }

    private static ReadName variant(String copy) {
        return new ReadName("a", "/a", copy);
    }

    @Test
    void theFirstReadBringsTheFilter() {
        assertThat(session.decide("a", 0)).isEqualTo(RequestWay.REVALIDATE_AND_REFRESH);
    }

    @Test
    void whatIsNotInTheFilterMayComeFromCachesUntilTheFilterIsTooOld() {
        session.refresh(NOTHING, 0);
        assertThat(session.decide("a", 999)).isEqualTo(RequestWay.CACHED);
        assertThat(session.decide("a", 1000)).isEqualTo(RequestWay.REVALIDATE_AND_REFRESH);
    }

    @Test
    void whatIsInTheFilterIsRevalidatedOnce() {
        session.refresh(stale("a"), 0);
        assertThat(session.decide("a", 10)).isEqualTo(RequestWay.REVALIDATE);
        session.revalidated("a", 2, 10);
        assertThat(session.decide("a", 20)).isEqualTo(RequestWay.CACHED);
        session.refresh(stale("a"), 500);
        assertThat(session.decide("a", 510)).isEqualTo(RequestWay.REVALIDATE);
    }

    @Test
    void aRevalidationThatIsNewerThanTheFilterStillCounts() {
        session.refresh(stale("a"), 0);
        session.revalidated("a", 2, 700);
        session.refresh(stale("a"), 600);
        assertThat(session.decide("a", 800)).isEqualTo(RequestWay.CACHED);
    }

    @Test
    void anOlderFilterThatComesLateIsPassedOver() {
        session.refresh(stale("a"), 600);
        session.refresh(NOTHING, 500);
        assertThat(session.decide("a", 700)).isEqualTo(RequestWay.REVALIDATE);
    }

    @Test
    void readsAreMonotonic() {
        session.refresh(NOTHING, 0);
        assertThat(session.judge("a", 5)).isEqualTo(FreshnessVerdict.TAKE);
        assertThat(session.judge("a", 4)).isEqualTo(FreshnessVerdict.REVALIDATE);
        assertThat(session.judge("a", 5)).isEqualTo(FreshnessVerdict.TAKE);
    }

    @Test
    void aSessionReadsItsOwnWrites() {
        session.refresh(NOTHING, 0);
        session.wrote("a", 7, 5);
        assertThat(session.decide("a", 10)).isEqualTo(RequestWay.REVALIDATE);
        assertThat(session.judge("a", 6)).isEqualTo(FreshnessVerdict.REVALIDATE);
        session.revalidated("a", 7, 10);
        assertThat(session.decide("a", 20)).isEqualTo(RequestWay.CACHED);
    }

    @Test
    void whatWasRequestedBeforeAWriteEndedDoesNotShowIt() {
        session.refresh(NOTHING, 0);
        session.decide("a", 10);
        session.wrote("a", 0, 30);
        session.revalidated("a", 0, 20);
        assertThat(session.decide("a", 40)).isEqualTo(RequestWay.REVALIDATE);
    }

    @Test
    void whatItHasForgottenStaysSoUntilTheOriginAnswers() {
        session.refresh(NOTHING, 0);
        session.received(0, 0);
        session.judge("a", 5);
        session.judge("b", 1);
        session.judge("c", 1);
        assertThat(session.judge(ReadName.of("a"), 4, Consistency.DELTA)).isEqualTo(FreshnessVerdict.TAKE);
        assertThat(session.judge("a", 4)).isEqualTo(FreshnessVerdict.REVALIDATE);
        session.wrote("a", 6, 10);
        assertThat(session.decide(ReadName.of("a"), Consistency.MONOTONIC_READS, 20))
                .isEqualTo(RequestWay.REVALIDATE);
        session.revalidated("a", 6, 20);
        assertThat(session.judge(ReadName.of("a"), 5, Consistency.READ_YOUR_WRITES))
                .isEqualTo(FreshnessVerdict.REVALIDATE);
    }

    @Test
    void ofWhatItHasForgottenItTakesNothingFromCaches() {
        session.refresh(NOTHING, 0);
        session.judge("a", 1);
        session.judge("b", 1);
        session.judge("c", 1);
        assertThat(session.decide("a", 10)).isEqualTo(RequestWay.REVALIDATE);
        assertThat(session.decide("b", 10)).isEqualTo(RequestWay.CACHED);
    }

    @Test
    void aCopyThatWasEvaluatedAfterTheLastChangeIsProven() {
        ExpiringFilter keys = new ExpiringFilter(FilterShape.ONE_ROUND_TRIP, 3_600_000);
        long changed = 1_000_000;
        keys.reportRead("a", changed + 3_600_000, changed);
        keys.invalidate("a", changed);
        long now = changed + 60_000;
        session.refresh(keys.flat(now), keys.recent(now), 0);
        assertThat(session.decide("a", 10)).isEqualTo(RequestWay.PROVEN);
        assertThat(session.isProven("a", now - 5_000, 10)).isTrue();
        assertThat(session.isProven("a", changed, 10)).isFalse();
        assertThat(session.isProven("a", 0, 10))
                .as("without a time of evaluation")
                .isFalse();
        session.wrote("a", 2, 10);
        assertThat(session.decide("a", 10)).isEqualTo(RequestWay.REVALIDATE);
    }

    @Test
    void aRevalidationHoldsForItsCopyOnly() {
        session.refresh(stale("a"), 0);
        session.revalidated(variant("/a?lang=fr"), 0, 10);
        assertThat(session.decide(variant("/a?lang=fr"), Consistency.SESSION, 20))
                .isEqualTo(RequestWay.CACHED);
        assertThat(session.decide(variant("/a?lang=de"), Consistency.SESSION, 20))
                .isEqualTo(RequestWay.REVALIDATE);
    }

    @Test
    void withoutVersionsEachCopyIsRevalidatedAfterAnOwnWrite() {
        session.refresh(NOTHING, 0);
        session.decide(variant("/a?lang=fr"), Consistency.SESSION, 10);
        session.wrote("a", 0, 10);
        session.revalidated(variant("/a?lang=fr"), 0, 20);
        assertThat(session.decide(variant("/a?lang=fr"), Consistency.SESSION, 30))
                .isEqualTo(RequestWay.CACHED);
        assertThat(session.decide(variant("/a?lang=de"), Consistency.SESSION, 30))
                .isEqualTo(RequestWay.REVALIDATE);
    }

    @Test
    void aFailedWriteDoesNotLowerTheVersion() {
        session.refresh(NOTHING, 0);
        session.judge("a", 5);
        session.wrote("a", 0, 10);
        assertThat(session.judge("a", 4)).isEqualTo(FreshnessVerdict.REVALIDATE);
    }

    @Test
    void whatItHasForgottenMayComeFromCachesOnceTheLongestTimeToLiveIsOver() {
        FreshnessSession brief = new FreshnessSession(new FreshnessSettings(1_000, 1, 60_000));
        brief.refresh(NOTHING, 0);
        assertThat(brief.decide("a", 0)).isEqualTo(RequestWay.CACHED);
        brief.judge("a", 1);
        brief.judge("b", 1);
        brief.refresh(NOTHING, 60_000);
        assertThat(brief.decide("a", 60_000)).isEqualTo(RequestWay.REVALIDATE);
        brief.refresh(NOTHING, 60_001);
        assertThat(brief.decide("a", 60_001)).isEqualTo(RequestWay.CACHED);
    }

    @Test
    void nothingIsProvenAfterATimeInTheFuture() {
        ExpiringFilter keys = new ExpiringFilter(FilterShape.ONE_ROUND_TRIP, 3_600_000);
        keys.reportRead("a", 4_600_000, 1_000_000);
        keys.invalidate("a", 1_000_000);
        long now = 1_060_000;
        session.refresh(keys.flat(now), keys.recent(now), 0);
        session.received(now + 110, 10);
        assertThat(session.clockErrors()).isZero();
        assertThat(session.isProven("a", now, 10)).isTrue();
        session.received(now + 3_600_000, 10);
        assertThat(session.clockErrors()).isEqualTo(1);
        assertThat(session.isProven("a", now, 10)).isFalse();
        assertThat(session.isProven("a", now, 3_600_011)).isTrue();
    }

    /** Two searches have one key, and versions of their own. */
    @Test
    void versionsOfAnotherAddressSayNothing() {
        ReadName shoes = new ReadName("search", "/search?q=shoes", "/search?q=shoes");
        ReadName hats = new ReadName("search", "/search?q=hats", "/search?q=hats");
        session.refresh(NOTHING, 0);
        assertThat(session.judge(shoes, 900, Consistency.SESSION)).isEqualTo(FreshnessVerdict.TAKE);
        assertThat(session.judge(hats, 100, Consistency.SESSION)).isEqualTo(FreshnessVerdict.TAKE);
        assertThat(session.judge(hats, 99, Consistency.SESSION)).isEqualTo(FreshnessVerdict.REVALIDATE);
        assertThat(session.judge(shoes, 899, Consistency.SESSION)).isEqualTo(FreshnessVerdict.REVALIDATE);
    }

    @Test
    void aWriteCountsForAllAddressesOfItsKeyUntilEachIsRevalidated() {
        ReadName record = new ReadName("a", "/a", "/a");
        ReadName list = new ReadName("a", "/lists/a", "/lists/a");
        session.refresh(NOTHING, 0);
        session.decide(record, Consistency.SESSION, 10);
        session.wrote(record, 900, 10);
        session.revalidated(record, 900, 20);
        assertThat(session.decide(record, Consistency.SESSION, 30)).isEqualTo(RequestWay.CACHED);
        assertThat(session.decide(list, Consistency.SESSION, 30)).isEqualTo(RequestWay.REVALIDATE);
        session.revalidated(list, 100, 40);
        assertThat(session.decide(list, Consistency.SESSION, 50)).isEqualTo(RequestWay.CACHED);
        assertThat(session.judge(list, 99, Consistency.READ_YOUR_WRITES)).isEqualTo(FreshnessVerdict.REVALIDATE);
    }
}
