package io.kipimo.endtoend.upgrade;

import static io.kipimo.testing.Patience.PATIENCE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.awaitility.Awaitility.await;

import io.kipimo.jobs.submission.KipimoJob;
import io.kipimo.schemas.caching.CacheCounts;
import io.kipimo.schemas.caching.CacheRead;
import io.kipimo.schemas.caching.CacheUse;
import io.kipimo.schemas.caching.CachedKind;
import io.kipimo.schemas.caching.InvalidationBuilder;
import io.kipimo.schemas.caching.InvalidationMode;
import io.kipimo.schemas.caching.RecordWrite;
import io.kipimo.schemas.caching.ResultChange;
import io.kipimo.schemas.caching.TtlEstimate;
import io.kipimo.schemas.caching.WriteKind;
import io.kipimo.schemas.codec.Codecs;
import io.kipimo.schemas.policy.Policy;
import io.kipimo.schemas.topics.Topic;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A query was read, and its TTL is estimated from the writes of its record. Then its result changes, and the time since
 * the read gives a better estimate.
 */
final class TtlScenario implements UpgradeScenario {
    private static final String TABLE = "things";

    /** Another table, whose events only advance event time. */
    private static final String CLOCK = "other";

    private static final String QUERY = "/things?all";

    @Override
    public KipimoJob job() {
        return KipimoJob.TTL;
    }

    @Override
    public Map<String, String> options() {
        return Map.of(
                "source.idleness",
                "1 h",
                "source.out-of-orderness",
                "1 s",
                "ttl.smoothing",
                "0.7",
                "ttl.longest",
                "1 h",
                "ttl.write-window",
                "20 s",
                "caching.window",
                "1 min");
    }

    @Override
    public Optional<Policy> policy() {
        return Optional.empty();
    }

    @Override
    public void begin(JobRun run) throws Exception {
        for (int i = 0; i < 4; i++) {
            write(run, TABLE, 500L * i);
        }
        read(run, TABLE, QUERY, CachedKind.QUERY, 2_500, List.of("r1"));
        time(run, 6_000);
        await("an estimate from writes")
                .atMost(PATIENCE)
                .until(() -> ofQuery(run.said(Topic.TTLS, Codecs.TTL_ESTIMATE)).stream()
                        .anyMatch(e -> e.meanMillis().isPresent()));
    }

    @Override
    public void goOn(JobRun run) throws Exception {
        TtlEstimate guessed = run.last(
                Topic.TTLS,
                Codecs.TTL_ESTIMATE,
                e -> e.kind() == CachedKind.QUERY && e.key().equals(QUERY));
        change(run, TABLE, QUERY, CachedKind.QUERY, 12_500);
        time(run, 80_000);
        await("an estimate from the read's lifetime")
                .atMost(PATIENCE)
                .until(() -> !ofQuery(run.said(Topic.TTLS, Codecs.TTL_ESTIMATE)).isEmpty());
        TtlEstimate learnt = ofQuery(run.said(Topic.TTLS, Codecs.TTL_ESTIMATE)).get(0);
        assertThat(learnt.isLearnt()).isTrue();
        assertThat(learnt.invalidations()).isEqualTo(1);
        assertThat(learnt.meanMillis().orElseThrow())
                .isCloseTo(0.7 * guessed.meanMillis().orElseThrow() + 0.3 * (12_500 - 2_500), within(1e-6));
        await("the window includes the writes from before").atMost(PATIENCE).untilAsserted(() -> assertThat(
                        run.said(Topic.CACHING, Codecs.CACHING_WINDOW))
                .anyMatch(w ->
                        w.table().equals(TABLE) && w.writes() == 4 && w.originReads() == 1 && w.invalidations() == 1));
    }

    private static List<TtlEstimate> ofQuery(List<TtlEstimate> all) {
        return all.stream()
                .filter(e -> e.kind() == CachedKind.QUERY && e.key().equals(QUERY))
                .toList();
    }

    /** Advances event time in all topics. */
    private static void time(JobRun run, long atMillis) throws Exception {
        read(run, CLOCK, "o", CachedKind.RECORD, atMillis, List.of());
        write(run, CLOCK, atMillis);
        change(run, CLOCK, "o", CachedKind.RECORD, atMillis);
        run.send(
                Topic.CACHE_USES,
                "shop/" + CLOCK,
                Codecs.CACHE_USE,
                new CacheUse("shop", CLOCK, "client-1", run.startMillis() + atMillis, CacheCounts.NONE));
    }

    private static void read(JobRun run, String table, String key, CachedKind kind, long at, List<String> records)
            throws Exception {
        run.send(
                Topic.READS,
                "shop/" + table + '/' + key,
                Codecs.CACHE_READ,
                new CacheRead("shop", table, key, kind, run.startMillis() + at, 1_000, records));
    }

    private static void write(JobRun run, String table, long at) throws Exception {
        long written = run.startMillis() + at;
        run.send(
                Topic.WRITES,
                "shop/" + table + "/r1",
                Codecs.RECORD_WRITE,
                new RecordWrite("shop", table, "r1", WriteKind.UPDATE, written, written, "{\"a\": 1}"));
    }

    private static void change(JobRun run, String table, String key, CachedKind kind, long at) throws Exception {
        long written = run.startMillis() + at;
        run.send(
                Topic.INVALIDATIONS,
                "shop/" + table + '/' + key,
                Codecs.INVALIDATION,
                InvalidationBuilder.builder()
                        .service("shop")
                        .table(table)
                        .key(key)
                        .kind(kind)
                        .change(ResultChange.CHANGED)
                        .record("r1")
                        .version(written)
                        .writtenMillis(written)
                        .mode(InvalidationMode.HARD)
                        .sequence(at)
                        .build());
    }
}
