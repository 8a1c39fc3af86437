package io.kipimo.local;

import io.kipimo.embedded.flink.FlinkCluster;
import io.kipimo.embedded.kafka.EmbeddedKafka;
import io.kipimo.embedded.process.Started;
import io.kipimo.embedded.redis.EmbeddedRedis;
import io.kipimo.embedded.watch.Progress;
import io.kipimo.jobs.JobEnvironment;
import io.kipimo.redis.RedisSettings;
import io.kipimo.schemas.topics.Topic;
import io.kipimo.sdk.internal.kafka.TopicAdmin;
import io.kipimo.sdk.kafka.KafkaSettings;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.apache.flink.api.common.JobID;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

/**
 * A broker with all topics, Redis if this machine can run it, and a Flink cluster in this JVM. {@link #close} stops
 * everything, in the reverse order of its start, and deletes its data.
 */
public final class LocalPlatform implements AutoCloseable {
    private static final int SLOTS = 4;

    /** Partitions of each topic. Jobs have parallelism 1, and each partition costs the broker time and files. */
    private static final int PARTITIONS = 1;

    /** Time to wait for the broker. On a busy machine, a broker that has just started answers late. */
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private final Progress progress;
    private final Started started;
    private KafkaSettings kafka;
    private Optional<RedisSettings> redis = Optional.empty();
    private FlinkCluster flink;

    /** Adds a job to an environment, by its options. */
    @FunctionalInterface
    public interface JobDefinition {
        /** @throws Exception if an option is out of its range */
        void define(StreamExecutionEnvironment env, Configuration options) throws Exception;
    }

    private LocalPlatform(Progress progress) {
        this.progress = progress;
        started = new Started(progress::say);
    }

    /**
     * Starts the broker, Redis and Flink at the same time, and creates the topics.
     *
     * @param brokerPort port of the broker; 0: any free port
     */
    public static LocalPlatform start(int brokerPort, Progress progress) throws Exception {
        progress.say("starting Kafka (KRaft), Redis and Flink");
        LocalPlatform platform = new LocalPlatform(progress);
        CompletableFuture<FlinkCluster> flink = CompletableFuture.supplyAsync(() -> FlinkCluster.inProcess(1, SLOTS));
        CompletableFuture<EmbeddedRedis> store = CompletableFuture.supplyAsync(EmbeddedRedis::start);
        try {
            platform.startBroker(brokerPort);
            return platform;
        } catch (Exception e) {
            platform.close();
            throw e;
        } finally {
            // They are closed before the broker, also if it has failed.
            platform.await(store, flink);
        }
    }

    private void startBroker(int brokerPort) throws Exception {
        EmbeddedKafka broker = keep(EmbeddedKafka.start(brokerPort));
        kafka = new KafkaSettings(broker.bootstrapServers(), Topic.DEFAULT_PREFIX, Map.of());
        TopicAdmin.createMissing(kafka, PARTITIONS, (short) 1, PATIENCE);
    }

    private void await(CompletableFuture<EmbeddedRedis> store, CompletableFuture<FlinkCluster> cluster) {
        try {
            EmbeddedRedis server = keep(store.join());
            redis = Optional.of(RedisSettings.of(server.host(), server.port()));
        } catch (CompletionException e) {
            progress.say("Redis does not run on this machine; decisions go through Kafka alone");
        }
        flink = keep(cluster.join());
        if (kafka == null) {
            close();
        }
    }

    public KafkaSettings kafka() {
        return kafka;
    }

    /** Settings of Redis; empty if it does not run. */
    public Optional<RedisSettings> redis() {
        return redis;
    }

    /** Options of jobs that write to Redis; empty if it does not run. */
    public Map<String, String> redisOptions() {
        return redis.map(store -> Map.of("redis.host", store.host(), "redis.port", String.valueOf(store.port())))
                .orElse(Map.of());
    }

    /**
     * Starts a job with parallelism 1.
     *
     * @param options options in addition to the broker's address
     */
    public void run(String name, Map<String, String> options, JobDefinition job) throws Exception {
        Map<String, String> all = new HashMap<>();
        all.put("kafka.bootstrap-servers", kafka.bootstrapServers());
        all.put("source.out-of-orderness", "300 ms");
        all.put("parallelism.default", "1");
        all.putAll(options);
        Configuration configuration = Configuration.fromMap(all);
        StreamExecutionEnvironment env = flink.environment(JobEnvironment.withDefaults(configuration));
        job.define(env, configuration);
        JobID id = env.executeAsync("kipimo-" + name).getJobID();
        // A job that still runs when its cluster closes reports a failure.
        keep(() -> flink.cancel(id));
    }

    /** Address of Flink's web page. */
    public String flinkAddress() {
        return "http://" + flink.host() + ":" + flink.restPort();
    }

    /** Keeps a resource, and closes it before everything that was started earlier. */
    public <T extends AutoCloseable> T keep(T resource) {
        return started.keep(resource);
    }

    @Override
    public void close() {
        started.close();
    }
}
