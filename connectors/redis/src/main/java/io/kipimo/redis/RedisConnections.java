package io.kipimo.redis;

import java.time.Duration;
import redis.clients.jedis.ConnectionPoolConfig;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.RedisClient;
import redis.clients.jedis.SslOptions;
import redis.clients.jedis.SslVerifyMode;

/** Connections by settings. */
final class RedisConnections {
    private static final int TIMEOUT_MILLIS = 1_000;
    private static final int CONNECTIONS = 8;

    private RedisConnections() {}

    /**
     * A client that connects when it is first used, and anew whenever the connection broke.
     *
     * @throws IllegalArgumentException if the password cannot be read
     */
    static RedisClient open(RedisSettings settings) {
        DefaultJedisClientConfig.Builder config =
                DefaultJedisClientConfig.builder()
                        .timeoutMillis(TIMEOUT_MILLIS)
                        .clientName("kipimo");
        settings.password(System::getenv).ifPresent(config::password);
        if (!settings.user().isEmpty()) {
            config.user(settings.user());
        }
        if (settings.tls()) {
            config.sslOptions(SslOptions.builder().sslVerifyMode(SslVerifyMode.FULL).build());
        }
        ConnectionPoolConfig pool = new ConnectionPoolConfig();
        pool.setMaxTotal(CONNECTIONS);
        pool.setMaxWait(Duration.ofMillis(TIMEOUT_MILLIS));
        // A server that was restarted leaves dead connections behind.
        pool.setTestOnBorrow(true);
        return RedisClient.builder()
                .hostAndPort(new HostAndPort(settings.host(), settings.port()))
                .clientConfig(config.build())
                .poolConfig(pool)
                .build();
    }
}
