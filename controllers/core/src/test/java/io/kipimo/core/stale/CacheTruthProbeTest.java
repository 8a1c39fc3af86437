package io.kipimo.core.stale;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kipimo.core.quality.window.Verdict;
import io.kipimo.core.stale.CacheLook.Held;
import io.kipimo.core.stale.CacheLook.Read;
import io.kipimo.schemas.caching.CacheLink;
import io.kipimo.schemas.caching.LinkTruth;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class CacheTruthProbeTest {
    private static final long MINUTE = 60_000;
    private static final long START = 1_000_000;
    private static final Optional<Held> HELD = Optional.of(new Held(true, START));

    private CacheTruthProbe probe = probe(true);
    private final String shared = key(true);
    private final String client = key(false);

    private static CacheTruthProbe probe(boolean isPurged) {
        return new CacheTruthProbe(new CacheTruthProbe.Watching(List.of(60_000L, 300_000L, 600_000L), 1, isPurged, 10));
    }

    private String key(boolean isShared) {
        return IntStream.range(0, 100)
                .mapToObj(i -> "k" + i)
                .filter(k -> probe.sharedCache(k).isPresent() == isShared)
                .findFirst()
                .orElseThrow();
    }

    private static Optional<Read> read(long version, long at, long usableMillis) {
        return Optional.of(new Read(version, at, at + 1, false, at + usableMillis));
    }

    private static Optional<Held> held(boolean isHeld, long at) {
        return Optional.of(new Held(isHeld, at));
    }

    /** A write of version 2 and the first look; a cache still has version 1 for an hour. */
    private void wroteAndLooked(String key, Optional<Held> held) {
        probe.written(key, START);
        assertThat(probe.due(START, 9)).containsExactly(key);
        assertThat(probe.due(START, 9)).as("once").isEmpty();
        look(key, START, held, read(1, START, 60 * MINUTE));
    }

    private void look(String key, long at, Optional<Held> held, Optional<Read> read) {
        probe.looked(key, new CacheLook(held, read, Optional.of(new Read(2, at + 2, at + 3, false, 0))), at + 3);
    }

    private void lookAfterAMinute(String key, Optional<Held> held, Optional<Read> read) {
        long at = START + 66_003;
        assertThat(probe.due(at - 1, 9)).isEmpty();
        assertThat(probe.due(at, 9)).containsExactly(key);
        look(key, at, held, read);
    }

    private LinkTruth row(CacheLink link, long within) {
        return probe.lastHour(START + 70_000).stream()
                .filter(row -> row.link() == link && row.withinMillis() == within)
                .findFirst()
                .orElseThrow();
    }

    private void expect(CacheLink link, long fresh, long stale, long unknown, long lost) {
        LinkTruth row = row(link, MINUTE);
        assertThat(List.of(row.fresh(), row.stale(), row.unknown(), row.lost()))
                .as("%s", row)
                .containsExactly(fresh, stale, unknown, lost);
    }

    private Optional<CacheLink> loser() {
        return CacheTruthVerdict.loser(probe.lastHour(START + 70_000));
    }

    @Test
    void nothingLookedAtIsUnknown() {
        assertThat(probe.lastHour(START)).hasSize(12);
        for (LinkTruth row : probe.lastHour(START)) {
            assertThat(CacheTruthVerdict.of(row, START))
                    .isEqualTo(new CacheTruthVerdict(Verdict.UNKNOWN, Optional.empty()));
        }
        wroteAndLooked(shared, HELD);
        assertThat(probe.sinceStart())
                .as("a first look tests nothing")
                .allMatch(row -> row.fresh() + row.stale() + row.unknown() == 0);
    }

    @Test
    void aLostPurgeIsNamed() {
        wroteAndLooked(shared, HELD);
        lookAfterAMinute(shared, held(true, START + 66_000), read(1, START + 66_003, MINUTE));
        expect(CacheLink.SHARED_CACHE, 0, 1, 0, 0);
        expect(CacheLink.PURGE, 0, 1, 0, 1);
        expect(CacheLink.FILTER, 0, 0, 0, 0);
        expect(CacheLink.CLIENT, 0, 0, 0, 0);
        assertThat(row(CacheLink.PURGE, 5 * MINUTE).stale()).isZero();
        assertThat(loser()).hasValue(CacheLink.PURGE);
        assertThat(CacheTruthVerdict.of(row(CacheLink.PURGE, MINUTE), START + 70_000)
                        .verdict())
                .isEqualTo(Verdict.WRONG);
    }

    @Test
    void aPurgeAndAFilterThatWorkAreShownByACopyThatWasThere() {
        wroteAndLooked(shared, HELD);
        lookAfterAMinute(shared, held(true, START + 66_000), read(2, START + 66_003, MINUTE));
        expect(CacheLink.SHARED_CACHE, 1, 0, 0, 0);
        expect(CacheLink.PURGE, 1, 0, 0, 0);
        expect(CacheLink.FILTER, 1, 0, 0, 0);
        assertThat(loser()).isEmpty();
    }

    @Test
    void aMissSaysNothingOfThePurge() {
        probe.written(shared, START);
        assertThat(probe.due(START, 1)).hasSize(1);
        look(shared, START, HELD, read(2, START, MINUTE));
        lookAfterAMinute(shared, held(false, START + 66_000), read(2, START + 66_003, MINUTE));
        expect(CacheLink.SHARED_CACHE, 1, 0, 0, 0);
        expect(CacheLink.PURGE, 0, 0, 0, 0);
        expect(CacheLink.FILTER, 0, 0, 0, 0);
    }

    @Test
    void aCacheThatServesExpiredEntriesIsNamed() {
        wroteAndLooked(shared, HELD);
        lookAfterAMinute(shared, HELD, read(1, START + 66_003, 0));
        assertThat(loser()).hasValue(CacheLink.SHARED_CACHE);
        expect(CacheLink.PURGE, 0, 0, 0, 0);
    }

    @Test
    void withoutPurgesASharedCacheKeepsWhatItMay() {
        probe = probe(false);
        wroteAndLooked(shared, HELD);
        lookAfterAMinute(shared, held(true, START + 66_000), read(1, START + 66_003, MINUTE));
        expect(CacheLink.SHARED_CACHE, 0, 0, 0, 0);
        expect(CacheLink.FILTER, 1, 0, 0, 0);
        assertThat(probe.lastHour(START)).hasSize(9);
    }

    @Test
    void aFilterThatLacksAReplacedCopyIsNamed() {
        wroteAndLooked(client, held(false, START));
        lookAfterAMinute(client, held(false, START + 66_000), read(1, START + 66_003, MINUTE));
        expect(CacheLink.CLIENT, 0, 1, 0, 0);
        expect(CacheLink.FILTER, 0, 1, 0, 1);
        assertThat(loser()).hasValue(CacheLink.FILTER);
    }

    @Test
    void aClientThatIgnoresTheFilterIsNamed() {
        wroteAndLooked(client, HELD);
        lookAfterAMinute(client, held(true, START + 66_000), read(1, START + 66_003, MINUTE));
        expect(CacheLink.CLIENT, 0, 1, 0, 1);
        expect(CacheLink.FILTER, 1, 0, 0, 0);
    }

    @Test
    void aCacheThatKeepsRevalidationsToItselfIsNamed() {
        wroteAndLooked(client, HELD);
        long at = START + 66_003;
        lookAfterAMinute(client, HELD, Optional.of(new Read(1, at, at + 1, true, at + MINUTE)));
        expect(CacheLink.SHARED_CACHE, 0, 1, 0, 1);
    }

    @Test
    void aLookWithoutAnAnswerIsUnknownAndAnOldProofToo() {
        wroteAndLooked(shared, HELD);
        lookAfterAMinute(shared, Optional.empty(), Optional.empty());
        expect(CacheLink.SHARED_CACHE, 0, 0, 1, 0);
        expect(CacheLink.FILTER, 0, 0, 1, 0);
        LinkTruth fine = new LinkTruth(CacheLink.CLIENT, MINUTE, 100, 0, 0, 0, START);
        assertThat(CacheTruthVerdict.of(fine, START).verdict()).isEqualTo(Verdict.FINE);
        assertThat(CacheTruthVerdict.of(fine, START + CacheTruthVerdict.OLD_MILLIS + 1)
                        .verdict())
                .isEqualTo(Verdict.UNKNOWN);
    }

    /** Upper ends of Wilson's interval: 0 of 10: .278, 0 of 100: .037, 1 of 10,000: .00057. */
    @Test
    void fewReadsShowFewNines() {
        assertThat(nines(10, 0)).hasValue(0);
        assertThat(nines(100, 0)).hasValue(1);
        assertThat(nines(1_000, 0)).hasValue(2);
        assertThat(nines(9_999, 1)).hasValue(3);
        assertThat(nines(0, 10)).hasValue(0);
        assertThat(nines(0, 0)).isEmpty();
    }

    private static Optional<Integer> nines(long fresh, long stale) {
        LinkTruth row = new LinkTruth(CacheLink.CLIENT, MINUTE, fresh, stale, 0, 0, START);
        return CacheTruthVerdict.of(row, START).nines();
    }

    @Test
    void keysAreBoundedAndThoseWithLooksToComeStay() {
        for (int i = 0; i < 25; i++) {
            probe.written("w" + i, START);
        }
        assertThat(probe.skipped()).isEqualTo(15);
        assertThat(probe.due(START, 100)).hasSize(10);
        long now = START;
        for (int look = 0; look < 4; look++) {
            now += 20 * MINUTE;
            for (int i = 0; i < 10; i++) {
                look("w" + i, now, HELD, read(2, now, 0));
            }
            assertThat(probe.due(now + 20 * MINUTE, 100)).hasSize(look == 3 ? 0 : 10);
        }
        probe.written("another", now);
        assertThat(probe.due(now, 100)).containsExactly("another");
    }

    @Test
    void countsOfMoreThanAnHourAgoAreGone() {
        wroteAndLooked(shared, HELD);
        lookAfterAMinute(shared, HELD, read(2, START + 66_003, MINUTE));
        assertThat(probe.lastHour(START + 62 * MINUTE)).allMatch(row -> row.fresh() == 0);
        assertThat(probe.sinceStart()).anyMatch(row -> row.fresh() == 1);
        assertThat(probe.sinceMillis(START + 62 * MINUTE)).isEqualTo(START + 62 * MINUTE);
    }

    @Test
    void settingsOutOfRangeAreRefused() {
        assertThatThrownBy(() -> new CacheTruthProbe.Watching(List.of(0L), 1, true, 1))
                .hasMessage("within is [0] ms; allowed: 1 to 10 times of at most a day");
        assertThatThrownBy(() -> new CacheTruthProbe.Watching(List.of(1L), 1, true, 0))
                .hasMessage("watched keys are 0; allowed: 1..1000000");
    }
}
