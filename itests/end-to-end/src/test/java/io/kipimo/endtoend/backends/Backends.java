package io.kipimo.endtoend.backends;

import io.kipimo.embedded.kafka.EmbeddedKafka;
import io.kipimo.embedded.redis.EmbeddedRedis;
import org.testcontainers.DockerClientFactory;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.kafka.KafkaContainer;
import org.testcontainers.utility.DockerImageName;

/** Kafka and Redis for tests; empty at first, deleted when closed. */
public final class Backends implements AutoCloseable {
    /** Same version as the clients. */
    private static final DockerImageName KAFKA = DockerImageName.parse("apache/kafka:4.2.0");

    private static final DockerImageName REDIS = DockerImageName.parse("redis:7.4-alpine");
    private static final int REDIS_PORT = 6379;

    private final String bootstrapServers;
    private final String redisHost;
    private final int redisPort;
    private final Runnable stop;

    private Backends(String bootstrapServers, String redisHost, int redisPort, Runnable stop) {
        this.bootstrapServers = bootstrapServers;
        this.redisHost = redisHost;
        this.redisPort = redisPort;
        this.stop = stop;
    }

    /**
     * Starts both. Returns when they accept requests.
     *
     * @param kind {@code docker}, {@code embedded}, or {@code auto}: docker if an engine answers
     */
    public static Backends start(String kind) {
        return switch (kind) {
            case "docker" -> inContainers();
            case "embedded" -> embedded();
            case "auto" -> DockerClientFactory.instance().isDockerAvailable() ? inContainers() : embedded();
            default ->
                throw new IllegalArgumentException("backends is '" + kind + "'; allowed: auto, docker, embedded");
        };
    }

    /** {@code host:port} of the Kafka broker. */
    public String bootstrapServers() {
        return bootstrapServers;
    }

    public String redisHost() {
        return redisHost;
    }

    public int redisPort() {
        return redisPort;
    }

    @Override
    public void close() {
        stop.run();
    }

    private static Backends embedded() {
        EmbeddedKafka kafka = EmbeddedKafka.start();
        try {
            EmbeddedRedis redis = EmbeddedRedis.start();
            return new Backends(kafka.bootstrapServers(), redis.host(), redis.port(), () -> {
                redis.close();
                kafka.close();
            });
        } catch (RuntimeException e) {
            kafka.close();
            throw e;
        }
    }

    private static Backends inContainers() {
        KafkaContainer kafka = new KafkaContainer(KAFKA);
        GenericContainer<?> redis = new GenericContainer<>(REDIS).withExposedPorts(REDIS_PORT);
        try {
            kafka.start();
            redis.start();
            return new Backends(kafka.getBootstrapServers(), redis.getHost(), redis.getMappedPort(REDIS_PORT), () -> {
                redis.close();
                kafka.close();
            });
        } catch (RuntimeException e) {
            kafka.close();
            redis.close();
            throw e;
        }
    }
}
