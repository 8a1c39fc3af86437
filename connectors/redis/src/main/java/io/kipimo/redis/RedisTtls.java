package io.kipimo.redis;

import io.kipimo.schemas.caching.CachedScope;
import io.kipimo.schemas.caching.ResultRepresentation;
import io.kipimo.schemas.caching.TtlEstimate;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import redis.clients.jedis.Pipeline;
import redis.clients.jedis.RedisClient;
import redis.clients.jedis.Response;
import redis.clients.jedis.params.SetParams;

/**
 * Stores the active list (Quaestor, sec. 4.2): times to live of the records and queries that are read. The origin looks
 * them up before it answers. Redis key {@code kipimo:ttl:{SERVICE/TABLE}:KEY} holds the milliseconds as a decimal
 * number, followed by {@code ,ID_LIST} or {@code ,OBJECT_LIST} if a form was chosen. It expires when the record or
 * query has not been read for long. The braces put a table on one node of a cluster, so that many keys take one round
 * trip.
 */
public final class RedisTtls extends RedisUser {
    /**
     * Advice on caching a record or a query's result.
     *
     * @param representation form in which the result costs least; ANY for a record, or if there is too little data
     */
    public record CachingAdvice(long ttlMillis, ResultRepresentation representation) {
        String text() {
            return representation == ResultRepresentation.ANY
                    ? Long.toString(ttlMillis)
                    : ttlMillis + "," + representation;
        }

        static CachingAdvice of(String text) {
            int comma = text.indexOf(',');
            return comma < 0
                    ? new CachingAdvice(Long.parseLong(text), ResultRepresentation.ANY)
                    : new CachingAdvice(
                            Long.parseLong(text.substring(0, comma)),
                            ResultRepresentation.valueOf(text.substring(comma + 1)));
        }
    }

    private final SetParams keep;

    private RedisTtls(RedisSettings settings, long keepMillis) {
        super(settings);
        this.keep = SetParams.setParams().px(keepMillis);
    }

    /**
     * Returns a list that connects at its first use, and again when the connection breaks.
     *
     * @param keepMillis milliseconds for which an estimate is kept if no newer one follows
     * @throws IllegalArgumentException if the password cannot be read
     */
    public static RedisTtls at(RedisSettings settings, long keepMillis) {
        return new RedisTtls(settings, keepMillis);
    }

    /**
     * Stores estimates in one round trip.
     *
     * @throws RedisUnavailableException if Redis does not answer, or refuses; some estimates may be stored then
     */
    public void put(Collection<TtlEstimate> estimates) {
        int unused = ask(redis -> put(redis, estimates));
    }

    private int put(RedisClient redis, Collection<TtlEstimate> estimates) {
        try (Pipeline pipeline = redis.pipelined()) {
            List<Response<String>> answers = estimates.stream()
                    .map(estimate -> pipeline.set(
                            key(estimate.service(), estimate.table(), estimate.key()),
                            new CachingAdvice(estimate.ttlMillis(), estimate.representation()).text(),
                            keep))
                    .toList();
            pipeline.sync();
            // Only reading the response throws if Redis refused the command.
            answers.forEach(Response::get);
            return answers.size();
        }
    }

    /**
     * Returns the times to live of records or queries of one table, in milliseconds and in the order of {@code keys};
     * empty for unknown keys.
     *
     * @throws RedisUnavailableException if Redis does not answer, or refuses
     */
    public List<OptionalLong> ttlMillis(String service, String table, List<String> keys) {
        return advice(service, table, keys).stream()
                .map(advice ->
                        advice.map(each -> OptionalLong.of(each.ttlMillis())).orElseGet(OptionalLong::empty))
                .toList();
    }

    /**
     * Returns how long, and in which form, records or queries of one table are to be cached, in the order of
     * {@code keys}; empty for unknown keys.
     *
     * @throws RedisUnavailableException if Redis does not answer, or refuses
     */
    public List<Optional<CachingAdvice>> advice(String service, String table, List<String> keys) {
        if (keys.isEmpty()) {
            return List.of();
        }
        String[] names = keys.stream().map(key -> key(service, table, key)).toArray(String[]::new);
        return ask(redis -> redis.mget(names)).stream()
                .map(value -> Optional.ofNullable(value).map(CachingAdvice::of))
                .toList();
    }

    /** Redis key of an estimate. */
    public static String key(String service, String table, String key) {
        return "kipimo:ttl:{" + CachedScope.of(service, table) + "}:" + key;
    }
}
