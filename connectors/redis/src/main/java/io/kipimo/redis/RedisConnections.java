package io.kipimo.redis;

import java.time.Duration;
import java.util.regex.Pattern;
import org.apache.commons.pool2.PooledObject;
import org.apache.commons.pool2.impl.DefaultPooledObject;
import redis.clients.jedis.Connection;
import redis.clients.jedis.ConnectionFactory;
import redis.clients.jedis.ConnectionPoolConfig;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.DefaultJedisSocketFactory;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.JedisClientConfig;
import redis.clients.jedis.RedisClient;
import redis.clients.jedis.SslOptions;
import redis.clients.jedis.SslVerifyMode;
import redis.clients.jedis.exceptions.JedisDataException;
import redis.clients.jedis.providers.PooledConnectionProvider;

/** Creates Redis clients. */
public final class RedisConnections {
    private static final int TIMEOUT_MILLIS = 1_000;
    private static final int CONNECTIONS = 8;

    private RedisConnections() {}

    /**
     * Returns a client that connects at its first use, and again when the connection breaks.
     *
     * @throws IllegalArgumentException if the password cannot be read
     */
    static RedisClient open(RedisSettings settings) {
        return open(settings, "kipimo", TIMEOUT_MILLIS, CONNECTIONS);
    }

    /**
     * Returns a client with given bounds.
     *
     * @param name name under which the server lists the connections
     * @param timeoutMillis time-out for connecting, for an answer, and for a free connection, at least 1
     * @param connections greatest number of connections, at least 1
     * @throws IllegalArgumentException if the password cannot be read
     */
    public static RedisClient open(RedisSettings settings, String name, int timeoutMillis, int connections) {
        HostAndPort server = new HostAndPort(settings.host(), settings.port());
        DefaultJedisClientConfig.Builder builder =
                DefaultJedisClientConfig.builder().timeoutMillis(timeoutMillis).clientName(name);
        settings.password(System::getenv).ifPresent(builder::password);
        if (!settings.user().isEmpty()) {
            builder.user(settings.user());
        }
        if (settings.tls()) {
            builder.sslOptions(
                    SslOptions.builder().sslVerifyMode(SslVerifyMode.FULL).build());
        }
        JedisClientConfig config = builder.build();
        ConnectionPoolConfig pool = new ConnectionPoolConfig();
        pool.setMaxTotal(connections);
        pool.setMaxWait(Duration.ofMillis(timeoutMillis));
        // A restart of the server leaves dead connections in the pool.
        pool.setTestOnBorrow(true);
        return RedisClient.builder()
                .hostAndPort(server)
                .clientConfig(config)
                .connectionProvider(new PooledConnectionProvider(new LastingConnections(server, config), pool))
                .build();
    }

    /**
     * A connection that is given up when its server says that it cannot serve as a master. After a fail-over behind one
     * address, a connection to the former master stays open, and only a new connection reaches the new master.
     */
    private static final class MasterConnection extends Connection {
        private static final Pattern NO_MASTER = Pattern.compile("\\b(?:READONLY|MASTERDOWN|LOADING)\\b");

        MasterConnection(HostAndPort server, JedisClientConfig config) {
            super(new DefaultJedisSocketFactory(server, config), config);
        }

        @Override
        protected Object readProtocolWithCheckingBroken() {
            try {
                return super.readProtocolWithCheckingBroken();
            } catch (JedisDataException e) {
                // A script's error names the cause within its text.
                if (e.getMessage() != null && NO_MASTER.matcher(e.getMessage()).find()) {
                    setBroken();
                }
                throw e;
            }
        }
    }

    /**
     * Creates and checks the connections of the pool. It pings a connection only if that was idle for 100 ms, because a
     * ping before every command would double the round trips. So one command may fail on each connection if the server
     * restarts within that time.
     */
    private static final class LastingConnections extends ConnectionFactory {
        private static final Duration REST = Duration.ofMillis(100);

        private final HostAndPort server;
        private final JedisClientConfig config;

        LastingConnections(HostAndPort server, JedisClientConfig config) {
            super(server, config);
            this.server = server;
            this.config = config;
        }

        @Override
        public PooledObject<Connection> makeObject() {
            MasterConnection connection = new MasterConnection(server, config);
            try {
                initialize(connection);
            } catch (RuntimeException e) {
                connection.disconnect();
                throw e;
            }
            return new DefaultPooledObject<>(connection);
        }

        @Override
        public boolean validateObject(PooledObject<Connection> connection) {
            return connection.getIdleDuration().compareTo(REST) < 0
                    ? !connection.getObject().isBroken()
                    : super.validateObject(connection);
        }
    }
}
