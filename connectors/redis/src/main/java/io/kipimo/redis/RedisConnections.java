package io.kipimo.redis;

import java.time.Duration;
import org.apache.commons.pool2.PooledObject;
import redis.clients.jedis.Connection;
import redis.clients.jedis.ConnectionFactory;
import redis.clients.jedis.ConnectionPoolConfig;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.JedisClientConfig;
import redis.clients.jedis.RedisClient;
import redis.clients.jedis.SslOptions;
import redis.clients.jedis.SslVerifyMode;
import redis.clients.jedis.providers.PooledConnectionProvider;

/** Connections by settings. */
public final class RedisConnections {
    private static final int TIMEOUT_MILLIS = 1_000;
    private static final int CONNECTIONS = 8;

    private RedisConnections() {}

    /**
     * A client that connects when it is first used, and anew whenever the connection broke.
     *
     * @throws IllegalArgumentException if the password cannot be read
     */
    static RedisClient open(RedisSettings settings) {
        return open(settings, "kipimo", TIMEOUT_MILLIS, CONNECTIONS);
    }

    /**
     * The same with bounds of its own.
     *
     * @param name that the server lists it under
     * @param timeoutMillis for a connection, an answer, and a connection to become free; at least 1
     * @param connections at most, at least 1
     * @throws IllegalArgumentException if the password cannot be read
     */
    public static RedisClient open(
            RedisSettings settings, String name, int timeoutMillis, int connections) {
        HostAndPort server = new HostAndPort(settings.host(), settings.port());
        DefaultJedisClientConfig.Builder builder =
                DefaultJedisClientConfig.builder().timeoutMillis(timeoutMillis).clientName(name);
        settings.password(System::getenv).ifPresent(builder::password);
        if (!settings.user().isEmpty()) {
            builder.user(settings.user());
        }
        if (settings.tls()) {
            builder.sslOptions(SslOptions.builder().sslVerifyMode(SslVerifyMode.FULL).build());
        }
        JedisClientConfig config = builder.build();
        ConnectionPoolConfig pool = new ConnectionPoolConfig();
        pool.setMaxTotal(connections);
        pool.setMaxWait(Duration.ofMillis(timeoutMillis));
        // A server that was restarted leaves dead connections behind.
        pool.setTestOnBorrow(true);
        return RedisClient.builder()
                .hostAndPort(server)
                .clientConfig(config)
                .connectionProvider(
                        new PooledConnectionProvider(new LastingConnections(server, config), pool))
                .build();
    }

    /**
     * Connections that are pinged only after a rest: a ping before every command would be every
     * other round trip. Should the server have been restarted within it, one command fails on each
     * connection, as it does when the server goes away while it runs.
     */
    private static final class LastingConnections extends ConnectionFactory {
        private static final Duration REST = Duration.ofMillis(100);

        LastingConnections(HostAndPort server, JedisClientConfig config) {
            super(server, config);
        }

        @Override
        public boolean validateObject(PooledObject<Connection> connection) {
            return connection.getIdleDuration().compareTo(REST) < 0
                    ? !connection.getObject().isBroken()
                    : super.validateObject(connection);
        }
    }
}
