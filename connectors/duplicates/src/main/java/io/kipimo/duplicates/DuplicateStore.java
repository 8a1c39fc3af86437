package io.kipimo.duplicates;

import io.kipimo.redis.RedisConnections;
import io.kipimo.redis.RedisScript;
import io.kipimo.redis.RedisSettings;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import redis.clients.jedis.RedisClient;
import redis.clients.jedis.exceptions.JedisDataException;

/**
 * The Redis of one duplicate. Each key is a Redis hash with the value and the ticket of the write that set it. A
 * further key has the last ticket applied. One script changes both, so the store always has the state after some write
 * of the log, even after a crash.
 */
final class DuplicateStore implements AutoCloseable {
    private static final RedisScript APPLY = RedisScript.of(DuplicateStore.class, "apply.lua");
    private static final RedisScript READ = RedisScript.of(DuplicateStore.class, "read.lua");
    private static final byte[] APPLIED = bytes("kipimo:duplicate:applied");
    private static final String VALUES = "kipimo:duplicate:value:";
    private static final byte[] PASSED_OVER = bytes("none");
    private static final int CONNECTIONS = 16;

    private final RedisClient redis;
    private final String logId;

    /** @param patienceMillis milliseconds after which Redis counts as failed if it does not answer */
    DuplicateStore(RedisSettings settings, String logId, int patienceMillis) {
        this.redis = RedisConnections.open(settings, "kipimo-duplicate", patienceMillis, CONNECTIONS);
        this.logId = logId;
    }

    /**
     * Returns the ticket of the last write applied; -1: none.
     *
     * @throws NotServingException if the store was filled from another log
     */
    long lastTicket() throws NotServingException {
        List<byte[]> applied = redis.hmget(APPLIED, bytes("log"), bytes("ticket"));
        if (applied.get(0) == null) {
            return -1;
        }
        if (!text(applied.get(0)).equals(logId)) {
            throw new NotServingException(DuplicateStanding.OTHER_LOG);
        }
        return Long.parseLong(text(applied.get(1)));
    }

    /**
     * Applies all of the writes or none.
     *
     * @param first ticket of the first write; the others follow without a gap
     * @param writes writes to apply; an empty one changes nothing but uses up its ticket
     * @throws NotServingException if {@code first} is not the ticket after the last one applied
     */
    List<WriteResult> apply(long first, List<Optional<KeyWrite>> writes) throws NotServingException {
        List<byte[]> keys = new ArrayList<>(writes.size() + 1);
        byte[][] arguments = new byte[2 * writes.size() + 2][];
        keys.add(APPLIED);
        arguments[0] = bytes(logId);
        arguments[1] = bytes(Long.toString(first));
        for (int i = 0; i < writes.size(); i++) {
            Optional<KeyWrite> write = writes.get(i);
            keys.add(write.map(w -> valueKey(w.key())).orElse(APPLIED));
            arguments[2 * i + 2] = write.map(w -> bytes(w.kind().label())).orElse(PASSED_OVER);
            arguments[2 * i + 3] = write.map(KeyWrite::value).orElse(new byte[0]);
        }
        try {
            List<?> results = (List<?>) APPLY.run(redis, keys, arguments);
            List<WriteResult> told = new ArrayList<>(results.size());
            for (int i = 0; i < results.size(); i++) {
                List<?> result = (List<?>) results.get(i);
                boolean applied = (Long) result.get(0) == 1;
                told.add(new WriteResult(first + i, applied, version(result.get(1), result.get(2))));
            }
            return told;
        } catch (JedisDataException e) {
            if (e.getMessage().startsWith("GAP ")) {
                throw new NotServingException(DuplicateStanding.GAP);
            }
            if (e.getMessage().startsWith("OTHERLOG ")) {
                throw new NotServingException(DuplicateStanding.OTHER_LOG);
            }
            throw e;
        }
    }

    ReadResult read(String key) {
        List<?> found = (List<?>) READ.run(redis, List.of(APPLIED, valueKey(key)));
        return new ReadResult(Long.parseLong(text((byte[]) found.get(0))), version(found.get(1), found.get(2)));
    }

    private static Optional<Version> version(Object value, Object ticket) {
        return Optional.ofNullable((byte[]) value).map(v -> new Version(Long.parseLong(text((byte[]) ticket)), v));
    }

    private static byte[] valueKey(String key) {
        return bytes(VALUES + key);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static String text(byte[] bytes) {
        return new String(bytes, StandardCharsets.UTF_8);
    }

    @Override
    public void close() {
        redis.close();
    }
}
