package io.kipimo.gateway.config;

import static io.kipimo.schemas.field.Unit.Of.BYTES;
import static io.kipimo.schemas.field.Unit.Of.MILLIS;

import io.kipimo.redis.RedisSettings;
import io.kipimo.schemas.field.Key;
import io.kipimo.schemas.field.Range;
import io.kipimo.schemas.field.Unit;
import io.kipimo.schemas.field.WithBuilder;
import io.soabase.recordbuilder.core.RecordBuilder.Initializer;
import java.util.List;

/**
 * Settings for recording sampled queries.
 *
 * @param redis nodes of the memo cache; empty: no responses are kept, so queries cannot be replayed
 * @param timeoutMillis how long after the query's start the gateway waits for late responses
 * @param expirationMillis time from the start of a query to the end of its expiration window and of its replay; as in
 *     the policy
 * @param memoBytes greatest size of this gateway's responses in the memo cache
 * @param bodyBytes greatest size of a request or response; larger ones pass through and are not recorded
 * @param replay whether degraded queries are replayed
 * @param replayQueries greatest number of queries that wait for their replay
 * @param replayBytes greatest total size of the targets, headers and bodies of these queries
 * @param withoutHeaders headers that a replay omits, because they bind a request to its time
 */
@WithBuilder
public record RecordConfig(
        @Initializer(source = List.class, value = "of") List<RedisSettings> redis,

        @Unit(MILLIS) @Range(least = 1, most = Range.HOUR_MILLIS)
        long timeoutMillis,

        @Unit(MILLIS) @Range(least = 1, most = Range.HOUR_MILLIS)
        long expirationMillis,

        @Key("memory") @Unit(BYTES) @Range(least = 1 << 10, most = 1L << 40)
        long memoBytes,

        @Key("largest-body") @Unit(BYTES) @Range(least = 1, most = 64 << 20)
        int bodyBytes,

        boolean replay,
        @Key("replay-queue") @Range(least = 1, most = 1e6) int replayQueries,

        @Key("replay-memory") @Unit(BYTES) @Range(least = 1 << 10, most = 1L << 40)
        long replayBytes,

        @Key("replay-without-headers") @Initializer(source = List.class, value = "of")
        List<String> withoutHeaders) {
    public static final RecordConfig DEFAULT = RecordConfigBuilder.builder()
            .timeoutMillis(2_000)
            .expirationMillis(10_000)
            .memoBytes(256L << 20)
            .bodyBytes(1 << 20)
            .replayQueries(10_000)
            .replayBytes(64L << 20)
            .build();

    public RecordConfig {
        redis = List.copyOf(redis);
        withoutHeaders = List.copyOf(withoutHeaders);
    }
}
