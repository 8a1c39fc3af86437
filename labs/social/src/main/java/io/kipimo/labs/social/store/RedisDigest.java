package io.kipimo.labs.social.store;

import io.kipimo.loadgen.redis.RedisAddress;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Supplier;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.Pipeline;
import redis.clients.jedis.Response;
import redis.clients.jedis.params.ScanParams;
import redis.clients.jedis.resps.ScanResult;

/**
 * A digest of all keys of a database with their contents. It is the sum of the SHA-256 of each key, so neither the
 * order of the keys nor their encoding in the server's memory matters.
 */
final class RedisDigest {
    private static final ScanParams PAGE = new ScanParams().count(1_000);

    private RedisDigest() {}

    static String of(RedisAddress address) {
        byte[] sum = new byte[32];
        try (Jedis redis = address.connection()) {
            String cursor = ScanParams.SCAN_POINTER_START;
            TreeSet<String> seen = new TreeSet<>();
            do {
                ScanResult<String> page = redis.scan(cursor, PAGE);
                // SCAN may return a key twice while the table is resized.
                List<String> keys = page.getResult().stream()
                        .filter(key -> !key.equals(Keys.EPOCH) && !key.equals(Keys.WRITERS))
                        .filter(seen::add)
                        .toList();
                contents(redis, keys).forEach((key, value) -> add(sum, digest(key + value)));
                cursor = page.getCursor();
            } while (!cursor.equals(ScanParams.SCAN_POINTER_START));
        }
        return HexFormat.of().formatHex(sum);
    }

    private static Map<String, String> contents(Jedis redis, List<String> keys) {
        Map<String, Supplier<String>> asked = new LinkedHashMap<>();
        try (Pipeline pipeline = redis.pipelined()) {
            List<Response<String>> types = new ArrayList<>();
            keys.forEach(key -> types.add(pipeline.type(key)));
            pipeline.sync();
            for (int i = 0; i < keys.size(); i++) {
                asked.put(
                        keys.get(i), content(pipeline, keys.get(i), types.get(i).get()));
            }
            pipeline.sync();
        }
        Map<String, String> contents = new LinkedHashMap<>();
        asked.forEach((key, content) -> contents.put(key, content.get()));
        return contents;
    }

    private static Supplier<String> content(Pipeline pipeline, String key, String type) {
        switch (type) {
            case "string" -> {
                Response<String> value = pipeline.get(key);
                return value;
            }
            case "hash" -> {
                Response<Map<String, String>> value = pipeline.hgetAll(key);
                return () -> new TreeMap<>(value.get()).toString();
            }
            case "set" -> {
                Response<Set<String>> value = pipeline.smembers(key);
                return () -> new TreeSet<>(value.get()).toString();
            }
            case "zset" -> {
                Response<List<String>> value = pipeline.zrange(key, 0, -1);
                return () -> value.get().toString();
            }
            default ->
                throw new IllegalStateException(
                        "key '" + key + "' is a " + type + ", which the social workload does not use");
        }
    }

    private static byte[] digest(String text) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }

    /** Adds two big-endian numbers, modulo 2^256. */
    private static void add(byte[] sum, byte[] digest) {
        int carry = 0;
        for (int i = sum.length - 1; i >= 0; i--) {
            int value = (sum[i] & 0xff) + (digest[i] & 0xff) + carry;
            sum[i] = (byte) value;
            carry = value >> 8;
        }
    }
}
