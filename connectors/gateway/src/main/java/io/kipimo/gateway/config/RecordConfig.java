package io.kipimo.gateway.config;

import io.kipimo.redis.RedisSettings;
import java.util.List;

/**
 * How sampled queries are recorded.
 *
 * @param redis nodes of the memo cache; empty: nothing is kept, so nothing can be replayed
 * @param timeoutMillis how long after the query's start late responses are waited for
 * @param expirationMillis after the query's start nothing of it is of use; as in the policy
 * @param memoBytes that this gateway keeps at most in the memo cache
 * @param bodyBytes of a request or response; larger ones pass through and are not recorded
 * @param replay whether degraded queries are run once more
 * @param replayQueries that are kept to be run once more, at most
 * @param replayBytes of their targets, headers and bodies, at most
 * @param withoutHeaders not sent with a replay: those that bind a request to its time
 */
public record RecordConfig(
        List<RedisSettings> redis,
        long timeoutMillis,
        long expirationMillis,
        long memoBytes,
        int bodyBytes,
        boolean replay,
        int replayQueries,
        long replayBytes,
        List<String> withoutHeaders) {
    public static final RecordConfig DEFAULT =
            new RecordConfig(
                    List.of(),
                    2_000,
                    10_000,
                    256L << 20,
                    1 << 20,
                    false,
                    10_000,
                    64L << 20,
                    List.of());

    public RecordConfig {
        redis = List.copyOf(redis);
        withoutHeaders = List.copyOf(withoutHeaders);
    }
}
