package io.kipimo.redis;

import java.util.function.Function;
import redis.clients.jedis.RedisClient;
import redis.clients.jedis.exceptions.JedisException;

/** Base of classes that use one Redis. The connection is opened at the first use, and reopened after it breaks. */
abstract class RedisUser implements AutoCloseable {
    private final RedisSettings settings;
    private final RedisClient client;

    /** @throws IllegalArgumentException if the password cannot be read */
    RedisUser(RedisSettings settings) {
        this.settings = settings;
        this.client = RedisConnections.open(settings);
    }

    /** @throws RedisUnavailableException if Redis does not answer, or refuses */
    final <R> R ask(Function<RedisClient, R> question) {
        try {
            return question.apply(client);
        } catch (JedisException e) {
            throw new RedisUnavailableException(settings, e);
        }
    }

    @Override
    public void close() {
        client.close();
    }
}
