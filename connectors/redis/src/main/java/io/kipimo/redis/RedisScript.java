package io.kipimo.redis;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import redis.clients.jedis.RedisClient;
import redis.clients.jedis.exceptions.JedisNoScriptException;

/**
 * A script that the server runs atomically. Its text is sent only if the server does not know it; otherwise its digest
 * is sent.
 */
public record RedisScript(String text, String sha1) {
    /** Loads a script from the resource {@code name} next to a class. */
    public static RedisScript of(Class<?> beside, String name) {
        try (InputStream in = beside.getResourceAsStream(name)) {
            byte[] bytes = in.readAllBytes();
            String digest =
                    HexFormat.of().formatHex(MessageDigest.getInstance("SHA-1").digest(bytes));
            return new RedisScript(new String(bytes, StandardCharsets.UTF_8), digest);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-1", e);
        }
    }

    /** Runs the script with text arguments; returns its result in Jedis's types. */
    public Object run(RedisClient redis, List<String> keys, List<String> arguments) {
        try {
            return redis.evalsha(sha1, keys, arguments);
        } catch (JedisNoScriptException e) {
            return redis.eval(text, keys, arguments);
        }
    }

    /** Runs the script with binary arguments. */
    public Object run(RedisClient redis, List<byte[]> keys, byte[]... arguments) {
        List<byte[]> all = List.of(arguments);
        try {
            return redis.evalsha(sha1.getBytes(StandardCharsets.US_ASCII), keys, all);
        } catch (JedisNoScriptException e) {
            return redis.eval(text.getBytes(StandardCharsets.UTF_8), keys, all);
        }
    }
}
