package io.kipimo.loadgen.redis;

import java.net.URI;
import java.net.URISyntaxException;
import java.time.Duration;
import org.apache.commons.pool2.impl.GenericObjectPoolConfig;
import redis.clients.jedis.Connection;
import redis.clients.jedis.ConnectionPoolConfig;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.JedisClientConfig;
import redis.clients.jedis.RedisClient;
import redis.clients.jedis.SslOptions;
import redis.clients.jedis.SslVerifyMode;
import redis.clients.jedis.util.JedisURIHelper;

/**
 * Address of a Redis to rate: {@code redis[s]://[[user]:password@]host[:port][/database]}.
 *
 * @param timeoutMillis time-out of connecting, and of each answer
 */
public record RedisAddress(URI uri, int timeoutMillis) {
    private static final int DEFAULT_PORT = 6379;
    private static final int TIMEOUT_MILLIS = 10_000;

    public RedisAddress {
        boolean known = JedisURIHelper.isRedisScheme(uri) || JedisURIHelper.isRedisSSLScheme(uri);
        if (!known || uri.getHost() == null) {
            throw new IllegalArgumentException(
                    "store is '" + shown(uri) + "'; allowed: redis[s]://[[user]:password@]host[:port][/database]");
        }
    }

    /** An address with a time-out of ten seconds, because an overloaded store is slow but not gone. */
    public static RedisAddress of(String uri) {
        try {
            return new RedisAddress(new URI(uri), TIMEOUT_MILLIS);
        } catch (URISyntaxException e) {
            // The text may contain a password; do not print it.
            throw new IllegalArgumentException(
                    "store is no URI; allowed: redis[s]://[[user]:password@]host[:port][/database]", e);
        }
    }

    public RedisClient client(int connections) {
        GenericObjectPoolConfig<Connection> pool = new ConnectionPoolConfig();
        pool.setMaxTotal(connections);
        pool.setMaxIdle(connections);
        pool.setMaxWait(Duration.ofMillis(timeoutMillis));
        return RedisClient.builder()
                .hostAndPort(server())
                .clientConfig(config(timeoutMillis))
                .poolConfig(pool)
                .build();
    }

    /** Opens a separate connection. */
    public Jedis connection() {
        return new Jedis(server(), config(timeoutMillis));
    }

    private HostAndPort server() {
        return new HostAndPort(uri.getHost(), uri.getPort() < 0 ? DEFAULT_PORT : uri.getPort());
    }

    private JedisClientConfig config(int millis) {
        DefaultJedisClientConfig.Builder config = DefaultJedisClientConfig.builder()
                .timeoutMillis(millis)
                .autoNegotiateProtocol(false)
                .clientName("kipimo-loadgen")
                .database(JedisURIHelper.getDBIndex(uri));
        String password = JedisURIHelper.getPassword(uri);
        if (password != null) {
            config.user(JedisURIHelper.getUser(uri)).password(password);
        }
        if (JedisURIHelper.isRedisSSLScheme(uri)) {
            config.sslOptions(
                    SslOptions.builder().sslVerifyMode(SslVerifyMode.FULL).build());
        }
        return config.build();
    }

    /** The address without the password. */
    @Override
    public String toString() {
        return shown(uri);
    }

    private static String shown(URI uri) {
        return uri.getUserInfo() == null ? uri.toString() : uri.toString().replace(uri.getRawUserInfo() + "@", "");
    }
}
