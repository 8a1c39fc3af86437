package io.kipimo.loadgen.social.store;

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

/** A script that the server runs as one step; sent whole once, by its digest afterwards. */
record RedisScript(String text, String sha1) {
    /** A script beside this class. */
    static RedisScript of(String name) {
        try (InputStream in = RedisScript.class.getResourceAsStream(name)) {
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

    Object run(RedisClient redis, List<String> keys, String... arguments) {
        List<String> all = List.of(arguments);
        try {
            return redis.evalsha(sha1, keys, all);
        } catch (JedisNoScriptException e) {
            return redis.eval(text, keys, all);
        }
    }
}
