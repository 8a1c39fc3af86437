package io.kipimo.redis;

import io.kipimo.core.stale.FilterShape;
import io.kipimo.core.stale.FlatFilter;
import io.kipimo.core.stale.KeyHash;
import io.kipimo.core.stale.RecentKeys;
import io.kipimo.core.stale.StaleKeys;
import io.kipimo.schemas.caching.FilterFill;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.stream.Stream;
import redis.clients.jedis.Pipeline;
import redis.clients.jedis.RedisClient;
import redis.clients.jedis.Response;
import redis.clients.jedis.exceptions.JedisNoScriptException;
import redis.clients.jedis.params.ZAddParams;

/**
 * {@link StaleKeys} in Redis, for many concurrent writers. Reporting a read takes one command, and reporting a change
 * takes one script. Both can be pipelined ({@link Batch}), where consecutive reads share a command. A table has these
 * Redis keys: {@code kipimo:stale:{TABLE}:cached} and {@code :stale} (sorted sets of key hashes by expiry),
 * {@code :counts} (an 8-bit counter for each position of the filter), {@code :flat} (the filter, a bitmap), and
 * {@code :recent:SHAPE:LENGTH:BUCKET} (keys of one bucket of {@link RecentKeys}, a bitmap that expires). The braces put
 * them on one node of a cluster. {@code :since} (a hash) states since when the content is complete: a Redis that comes
 * back empty, or with older content than a publisher has seen, has lost some.
 *
 * <p>Times come from the callers. Their clocks must agree within the error that a time to live may have.
 */
public final class RedisStaleKeys extends RedisUser implements StaleKeys {
    private static final RedisScript INVALIDATE = RedisScript.of(RedisScript.class, "stale_invalidate.lua");
    private static final RedisScript FLAT = RedisScript.of(RedisScript.class, "stale_flat.lua");
    private static final RedisScript SINCE = RedisScript.of(RedisScript.class, "stale_since.lua");
    private static final ZAddParams LATER_ONES = ZAddParams.zAddParams().gt();

    /** Milliseconds for which buckets are kept longer than they are read, since clocks differ. */
    private static final long SLACK_MILLIS = 60_000;

    /**
     * Number of expired keys that one script removes. A script blocks all other commands; with this many keys it takes
     * about ten milliseconds.
     */
    private static final int EXPIRED_AT_ONCE = 2_000;

    private static final byte[] INVALIDATE_DIGEST = INVALIDATE.sha1().getBytes(StandardCharsets.US_ASCII);

    private final FilterShape shape;
    private final long longestTtlMillis;
    private final String table;
    private final byte[] cached;
    private final List<byte[]> keys;
    private final AtomicLong latestBeat = new AtomicLong(Long.MIN_VALUE);

    private record CountedFilter(FlatFilter filter, long stale, long tracked) {}

    private RedisStaleKeys(RedisSettings settings, String table, FilterShape shape, long longestTtlMillis) {
        super(settings);
        this.shape = shape;
        this.longestTtlMillis = longestTtlMillis;
        this.table = table;
        this.cached = key(table, "cached");
        this.keys = List.of(cached, key(table, "stale"), key(table, "counts"), key(table, "flat"));
    }

    /**
     * Returns the stale keys of one table. The connection is opened at the first use.
     *
     * @param shape shape of the filter, the same for all users of the table
     * @param longestTtlMillis longest time to live that answers of the table get, milliseconds
     */
    public static RedisStaleKeys at(RedisSettings settings, String table, FilterShape shape, long longestTtlMillis) {
        return new RedisStaleKeys(settings, table, shape, longestTtlMillis);
    }

    /** Returns the stale keys of one table for users that report no reads; reports of reads are refused. */
    public static RedisStaleKeys withoutReads(RedisSettings settings, String table, FilterShape shape) {
        return at(settings, table, shape, 0);
    }

    @Override
    public void reportRead(String key, long expiryMillis, long nowMillis) {
        StaleKeys.requireTtl(expiryMillis - nowMillis, longestTtlMillis);
        if (expiryMillis > nowMillis) {
            long unused = ask(redis -> redis.zadd(cached, (double) expiryMillis, bytes(key), LATER_ONES));
        }
    }

    @Override
    public InvalidationEffect invalidate(String key, long nowMillis) {
        return invalidate(List.of(key), nowMillis).get(0);
    }

    /** Invalidates keys whose contents have changed, in one atomic step. The results are in the order of the keys. */
    public List<InvalidationEffect> invalidate(List<String> changed, long nowMillis) {
        List<?> results =
                (List<?>) ask(redis -> INVALIDATE.run(redis, keysAndBuckets(nowMillis), arguments(changed, nowMillis)));
        return results.stream().map(RedisStaleKeys::invalidation).toList();
    }

    @Override
    public boolean isStale(String key, long nowMillis) {
        Double until = ask(redis -> redis.zscore(keys.get(1), bytes(key)));
        return until != null && until > nowMillis;
    }

    @Override
    public FlatFilter flat(long nowMillis) {
        return expire(nowMillis).filter();
    }

    @Override
    public RecentKeys recent(long nowMillis) {
        return RecentKeys.of(shape, nowMillis, (level, bucket) -> {
            byte[] bits = ask(redis -> redis.get(bucketKey(level, bucket)));
            return FlatFilter.of(shape, bits == null ? new byte[0] : bits);
        });
    }

    @Override
    public long wholeFromMillis(long nowMillis) {
        long known = Math.max(0, latestBeat.get());
        long since = since(nowMillis, known, false);
        latestBeat.accumulateAndGet(nowMillis, Math::max);
        return since + longestTtlMillis;
    }

    /** Declares that no answer of the table was ever handed out, so that its set of stale keys is complete at once. */
    public void begin(long nowMillis) {
        long unused = since(nowMillis, 0, true);
    }

    private long since(long nowMillis, long known, boolean isNew) {
        return (long) ask(redis -> SINCE.run(
                redis, List.of(key(table, "since")), number(nowMillis), number(known), number(isNew ? 1 : 0)));
    }

    @Override
    public long staleKeys(long nowMillis) {
        return expire(nowMillis).stale();
    }

    @Override
    public long trackedKeys(long nowMillis) {
        return expire(nowMillis).tracked();
    }

    /** Returns the fill of the filter. */
    public FilterFill fill(long nowMillis) {
        CountedFilter flat = expire(nowMillis);
        return new FilterFill(
                flat.stale(),
                flat.tracked(),
                shape.bytes(),
                flat.filter().fill(),
                flat.filter().falsePositiveRate());
    }

    /**
     * Deletes all stale keys, for example before the filter gets another shape. Buckets of recent keys expire by
     * themselves. The set of stale keys counts as complete again after the longest time to live.
     */
    public void clear() {
        byte[][] all =
                Stream.concat(keys.stream(), Stream.of(key(table, "since"))).toArray(byte[][]::new);
        long unused = ask(redis -> redis.del(all));
    }

    /** A batch of commands that are sent in one round trip, though not atomically. */
    public Batch batch() {
        return new Batch();
    }

    private CountedFilter expire(long nowMillis) {
        while (true) {
            List<?> results = (List<?>) ask(redis -> FLAT.run(
                    redis,
                    keys,
                    number(nowMillis),
                    number(shape.bits()),
                    number(shape.hashes()),
                    number(EXPIRED_AT_ONCE)));
            if ((long) results.get(0) < EXPIRED_AT_ONCE) {
                return new CountedFilter(
                        FlatFilter.of(shape, (byte[]) results.get(1)), (long) results.get(2), (long) results.get(3));
            }
        }
    }

    private List<byte[]> keysAndBuckets(long nowMillis) {
        List<byte[]> all = new ArrayList<>(keys);
        for (int level = 0; level < RecentKeys.levels(); level++) {
            all.add(bucketKey(level, RecentKeys.bucket(level, nowMillis)));
        }
        return all;
    }

    private byte[] bucketKey(int level, long bucket) {
        return key(
                table,
                "recent:" + shape.bits() + 'x' + shape.hashes() + ':' + RecentKeys.lengthMillis(level) + ':' + bucket);
    }

    private byte[][] arguments(List<String> changed, long nowMillis) {
        List<byte[]> arguments = new ArrayList<>(changed.size() + 7);
        arguments.add(number(nowMillis));
        arguments.add(number(shape.bits()));
        arguments.add(number(shape.hashes()));
        for (int level = 0; level < RecentKeys.levels(); level++) {
            arguments.add(number(3 * RecentKeys.lengthMillis(level) + SLACK_MILLIS));
        }
        changed.forEach(key -> arguments.add(bytes(key)));
        return arguments.toArray(byte[][]::new);
    }

    private static InvalidationEffect invalidation(Object code) {
        return InvalidationEffect.values()[(int) (long) code];
    }

    /** Returns the hash of a key in big-endian order, because the script reads the high half first. */
    private static byte[] bytes(String key) {
        return ByteBuffer.allocate(Long.BYTES).putLong(KeyHash.of(key)).array();
    }

    private static byte[] number(long value) {
        return Long.toString(value).getBytes(StandardCharsets.US_ASCII);
    }

    private static byte[] key(String table, String what) {
        return ("kipimo:stale:{" + table + "}:" + what).getBytes(StandardCharsets.UTF_8);
    }

    /**
     * Reads and changes that are sent together. A batch uses no connection before {@link #send}. It is for one thread.
     */
    public final class Batch implements AutoCloseable {
        private final List<Consumer<Pipeline>> waiting = new ArrayList<>();
        private final List<Response<Long>> reported = new ArrayList<>();
        private final List<Response<Object>> invalidations = new ArrayList<>();
        // The last command if it reports reads: further reads are added to it.
        private IdentityHashMap<byte[], Double> lastReads;

        private Batch() {}

        /**
         * Adds a report of a read, as {@link StaleKeys#reportRead}.
         *
         * @throws IllegalArgumentException if the expiry is too far ahead
         */
        public void reportRead(String key, long expiryMillis, long nowMillis) {
            StaleKeys.requireTtl(expiryMillis - nowMillis, longestTtlMillis);
            if (expiryMillis > nowMillis) {
                if (lastReads == null) {
                    IdentityHashMap<byte[], Double> untils = new IdentityHashMap<>();
                    lastReads = untils;
                    waiting.add(pipeline -> reported.add(pipeline.zadd(cached, untils, LATER_ONES)));
                }
                lastReads.put(bytes(key), (double) expiryMillis);
            }
        }

        /** Adds an invalidation, as {@link StaleKeys#invalidate}; {@link #send} returns its result. */
        public void invalidate(String key, long nowMillis) {
            lastReads = null;
            List<byte[]> arguments = List.of(arguments(List.of(key), nowMillis));
            waiting.add(pipeline ->
                    invalidations.add(pipeline.evalsha(INVALIDATE_DIGEST, keysAndBuckets(nowMillis), arguments)));
        }

        /**
         * Sends all commands and returns the results of invalidations in their order. If sending fails, all commands
         * remain and can be sent again; repeating them is harmless.
         *
         * @throws RedisUnavailableException if Redis does not answer, or refuses
         */
        public List<InvalidationEffect> send() {
            if (waiting.isEmpty()) {
                return List.of();
            }
            return ask(this::send);
        }

        private List<InvalidationEffect> send(RedisClient redis) {
            try {
                return sendOnce(redis);
            } catch (JedisNoScriptException e) {
                // The server does not have the script yet, or was restarted since.
                String unused = redis.scriptLoad(INVALIDATE.text());
                return sendOnce(redis);
            }
        }

        private List<InvalidationEffect> sendOnce(RedisClient redis) {
            try (Pipeline pipeline = redis.pipelined()) {
                waiting.forEach(command -> command.accept(pipeline));
                pipeline.sync();
                // Only reading the response throws if Redis refused the command.
                reported.forEach(Response::get);
                List<InvalidationEffect> results = invalidations.stream()
                        .map(response -> ((List<?>) response.get()).get(0))
                        .map(RedisStaleKeys::invalidation)
                        .toList();
                waiting.clear();
                lastReads = null;
                return results;
            } finally {
                reported.clear();
                invalidations.clear();
            }
        }

        @Override
        public void close() {
            List<InvalidationEffect> unused = send();
        }
    }
}
