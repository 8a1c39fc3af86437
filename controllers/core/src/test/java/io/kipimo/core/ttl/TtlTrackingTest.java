package io.kipimo.core.ttl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.kipimo.core.invalidation.AccessCosts;
import io.kipimo.core.invalidation.Representation;
import io.kipimo.core.invalidation.UseMeter;
import io.kipimo.core.quality.similarity.Similarities;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

class TtlTrackingTest {
    private static final TtlSettings SETTINGS = new TtlSettings(0.5, 0.7, 1, 1_000_000, 2_000_000, 0);
    private static final WriteWindow WINDOW = new WriteWindow(10_000, 1);
    private static final TtlTracking TRACKING = new TtlTracking(
            SETTINGS, WINDOW, new UseMeter(new AccessCosts(4, 150, 6, 100)), Similarities.parse("tpr@10"));

    private static TrackedQuery read(TrackedQuery before, long atMillis, long... records) {
        return TRACKING.read(before, OptionalDouble.of(0.1), records, atMillis);
    }

    @Test
    void aChangeCostsWhatTheFreshResultHasAndTheStaleOneLacks() {
        TrackedQuery query = read(null, 0, 1, 2, 3, 4);
        query = TRACKING.changed(query, 5_000);
        assertThat(query.query().lossPerChange()).as("not compared yet").isEqualTo(1);
        query = read(query, 6_000, 1, 2, 3, 9);
        assertThat(query.query().lossPerChange()).isEqualTo(0.25);
        query = TRACKING.changed(query, 7_000);
        query = read(query, 8_000, 1, 2, 3, 9);
        assertThat(query.query().lossPerChange()).isEqualTo(0.7 * 0.25, within(1e-12));
    }

    @Test
    void severalChangesBetweenTwoReadsShareTheLoss() {
        TrackedQuery query = read(null, 0, 1, 2, 3, 4);
        query = TRACKING.changed(query, 5_000);
        query = TRACKING.changed(query, 5_500);
        query = read(query, 6_000, 1, 2, 8, 9);
        assertThat(query.query().lossPerChange()).isEqualTo(0.25);
        assertThat(query.query().invalidations())
                .as("those that gave a lifetime")
                .isEqualTo(1);
    }

    @Test
    void aChangeThatIsToldTwiceOrComesLateShowsNothing() {
        TrackedQuery changed = TRACKING.changed(read(null, 1_000, 1), 5_000);
        assertThat(TRACKING.changed(changed, 5_000)).isSameAs(changed);
        TrackedQuery fresh = read(changed, 9_000, 1);
        assertThat(TRACKING.changed(fresh, 7_000)).as("before the read").isSameAs(fresh);
        assertThat(read(fresh, 4_000, 1)).as("a read before the change").isSameAs(fresh);
    }

    @Test
    void whatIsNotReadIsNeitherKeptNorLearntFrom() {
        assertThat(TRACKING.changed(null, 1_000)).isNull();
        assertThat(TRACKING.read(null, OptionalDouble.empty(), new long[0], 1_000))
                .isNull();
        TrackedQuery old = read(null, 0, 1);
        assertThat(TRACKING.changed(old, 2_000_001)).isSameAs(old);
        assertThat(TRACKING.isForgotten(old, 2_000_001)).isTrue();
    }

    @Test
    void ratesThatAreMissingAreTheOnesKnownBefore() {
        TrackedQuery known = read(null, 0, 1);
        TrackedQuery again = TRACKING.read(known, OptionalDouble.empty(), new long[] {1}, 500);
        assertThat(again.query().meanMillis()).isEqualTo(10_000, within(1e-9));
    }

    @Test
    void oneWriteInAShardThatHasJustBegunIsNoFlood() {
        TrackedRecord record = TRACKING.wrote(TrackedRecord.NEW, 50_000);
        assertThat(TRACKING.writesPerSecond(record, 50_001, 50_000)).isEqualTo(1, within(1e-9));
    }

    @Test
    void aRecordIsKeptWhileItIsReadOrItsWritesCount() {
        TrackedRecord written = TRACKING.wrote(TrackedRecord.NEW, 5_000);
        assertThat(TRACKING.isForgotten(written, 19_999)).isFalse();
        assertThat(TRACKING.isForgotten(written, 20_000)).isTrue();
        assertThat(TRACKING.isForgotten(TRACKING.read(written, 5_000), 2_005_000))
                .isFalse();
        assertThat(TRACKING.isForgotten(TRACKING.read(written, 5_000), 2_005_001))
                .isTrue();
    }

    @Test
    void slightChangesAreNotToldUntilWhatWasToldGrowsOld() {
        assertThat(TRACKING.isWorthPublishing(PublishedTtl.NOTHING, 0, 0)).isTrue();
        PublishedTtl published = new PublishedTtl(1_000, 50);
        assertThat(TRACKING.isWorthPublishing(published, 1_100, 60)).isFalse();
        assertThat(TRACKING.isWorthPublishing(published, 1_101, 60)).isTrue();
        assertThat(TRACKING.isWorthPublishing(published, 1_000, 1_000_050)).isTrue();
    }

    @Test
    void useIsToldWhenHitsDifferByHalfOrAnotherFormIsChosen() {
        PublishedUse published = new PublishedUse(null, 2);
        assertThat(TRACKING.isWorthPublishing(PublishedUse.NOTHING, new PublishedUse(null, 0)))
                .isTrue();
        assertThat(TRACKING.isWorthPublishing(published, new PublishedUse(null, 3)))
                .isFalse();
        assertThat(TRACKING.isWorthPublishing(published, new PublishedUse(null, 3.1)))
                .isTrue();
        assertThat(TRACKING.isWorthPublishing(published, new PublishedUse(Representation.OBJECT_LIST, 2)))
                .isTrue();
    }

    @Test
    void aQueryThatWasForgottenBeginsItsUseAnew() {
        TrackedQuery query = read(null, 0, 1);
        for (int i = 0; i < 20; i++) {
            query = TRACKING.used(read(query, i, 1), 0, 1, OptionalDouble.of(0.1), i);
        }
        assertThat(query.use().reads()).isEqualTo(20, within(1e-3));
        assertThat(read(query, 2_000_100, 1).use()).isNull();
        assertThat(TRACKING.usedUntil(null, true, 0)).isNull();
    }

    @Test
    void aWriteThatComesAPaneLateStillCounts() {
        WriteCount count = WINDOW.wrote(WINDOW.wrote(WriteCount.NONE, 25_000), 19_000);
        assertThat(count).isEqualTo(new WriteCount(2, 1, 1));
        assertThat(WINDOW.wrote(count, 9_000)).as("two panes late").isEqualTo(count);
    }
}
