package io.kipimo.examples.caching;

import io.kipimo.harness.flink.FlinkCluster;
import io.kipimo.harness.kafka.EmbeddedKafka;
import io.kipimo.harness.redis.EmbeddedRedis;
import io.kipimo.harness.watch.Progress;
import io.kipimo.jobs.JobEnvironment;
import io.kipimo.jobs.invalidation.InvalidationJob;
import io.kipimo.jobs.invalidation.InvalidationOptions;
import io.kipimo.jobs.ttl.TtlJob;
import io.kipimo.jobs.ttl.TtlOptions;
import io.kipimo.redis.RedisSettings;
import io.kipimo.schemas.caching.RecordWrite;
import io.kipimo.schemas.caching.WriteKind;
import io.kipimo.schemas.topics.Topic;
import io.kipimo.sdk.CachingReports;
import io.kipimo.sdk.internal.kafka.TopicAdmin;
import io.kipimo.sdk.kafka.KafkaSettings;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.apache.flink.api.common.JobID;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** Broker, Redis and Flink with both jobs on this machine, for all runs. */
final class Platform implements AutoCloseable {
    private static final long PATIENCE_SECONDS = 120;

    private final Deque<AutoCloseable> started = new ArrayDeque<>();
    private final KafkaSettings kafka;
    private final RedisSettings redis;
    private CachingReports reports;
    private Notifications notifications;

    private Platform() {
        EmbeddedKafka broker = keep(EmbeddedKafka.start());
        kafka = new KafkaSettings(broker.bootstrapServers(), Topic.DEFAULT_PREFIX, Map.of());
        EmbeddedRedis store = keep(EmbeddedRedis.start());
        redis = RedisSettings.of(store.host(), store.port());
    }

    /** Returns when everything serves and the jobs have sent a notification of a write. */
    static Platform start(CachingDemoSettings settings, Progress progress) throws Exception {
        progress.say("starting Kafka (KRaft) and Redis");
        Platform platform = new Platform();
        try {
            platform.startJobs(settings, progress);
        } catch (Exception e) {
            platform.close();
            throw e;
        }
        return platform;
    }

    private void startJobs(CachingDemoSettings settings, Progress progress) throws Exception {
        TopicAdmin.createMissing(kafka, 0, (short) 1);
        reports = keep(CachingReports.connect(kafka));
        notifications = keep(Notifications.open(kafka));
        progress.say("starting Flink with the ttl and invalidation jobs");
        FlinkCluster flink = keep(FlinkCluster.inProcess(1, 4));
        Map<String, String> common =
                Map.of(
                        "kafka.bootstrap-servers",
                        kafka.bootstrapServers(),
                        "redis.host",
                        redis.host(),
                        "redis.port",
                        String.valueOf(redis.port()),
                        "source.out-of-orderness",
                        "300 ms",
                        "source.idleness",
                        "500 ms",
                        "parallelism.default",
                        "1");
        Map<String, String> ofTtls = new HashMap<>(common);
        ofTtls.put("ttl.longest", settings.longestTtlMillis() + " ms");
        ofTtls.put("ttl.forget-after", settings.forgetAfterMillis() + " ms");
        ofTtls.put("ttl.write-window", settings.rateWindowMillis() + " ms");
        StreamExecutionEnvironment ttl = environment(flink, ofTtls);
        TtlJob.define(ttl, TtlOptions.of(Configuration.fromMap(ofTtls)));
        submit(flink, ttl, TtlJob.NAME);
        StreamExecutionEnvironment invalidation = environment(flink, common);
        InvalidationJob.define(invalidation, InvalidationOptions.of(Configuration.fromMap(common)));
        submit(flink, invalidation, InvalidationJob.NAME);
        awaitNotification();
    }

    /**
     * Starts a job that is cancelled before its cluster closes, which would otherwise report a
     * failure.
     */
    private void submit(FlinkCluster flink, StreamExecutionEnvironment env, String name)
            throws Exception {
        JobID job = env.executeAsync("kipimo-" + name).getJobID();
        keep(() -> flink.cancel(job));
    }

    private static StreamExecutionEnvironment environment(
            FlinkCluster flink, Map<String, String> options) {
        return flink.environment(JobEnvironment.withDefaults(Configuration.fromMap(options)));
    }

    private void awaitNotification() throws InterruptedException {
        String table = "start";
        CountDownLatch told = new CountDownLatch(1);
        notifications.listen(table, (one, nowMillis) -> told.countDown());
        reports.wrote(
                        new RecordWrite(
                                DemoPipeline.SERVICE,
                                table,
                                "first",
                                WriteKind.INSERT,
                                1,
                                System.currentTimeMillis(),
                                "{}"))
                .join();
        if (!told.await(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
            throw new IllegalStateException(
                    "the invalidation job sent no notification in " + PATIENCE_SECONDS + " s");
        }
        notifications.ignore(table);
    }

    KafkaSettings kafka() {
        return kafka;
    }

    RedisSettings redis() {
        return redis;
    }

    CachingReports reports() {
        return reports;
    }

    Notifications notifications() {
        return notifications;
    }

    /**
     * Commits the ends of the topic of notifications, so that a consumer group skips its current
     * records.
     */
    void skipNotifications(String group) {
        Map<String, Object> properties = kafka.forConsumer();
        properties.put("group.id", group);
        properties.put("enable.auto.commit", false);
        try (KafkaConsumer<byte[], byte[]> consumer =
                new KafkaConsumer<>(
                        properties, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
            List<TopicPartition> partitions =
                    consumer.partitionsFor(kafka.name(Topic.INVALIDATIONS)).stream()
                            .map(p -> new TopicPartition(p.topic(), p.partition()))
                            .toList();
            consumer.assign(partitions);
            consumer.commitSync(
                    consumer.endOffsets(partitions).entrySet().stream()
                            .collect(
                                    Collectors.toMap(
                                            Map.Entry::getKey,
                                            end -> new OffsetAndMetadata(end.getValue()))));
        }
    }

    private <T extends AutoCloseable> T keep(T resource) {
        started.push(resource);
        return resource;
    }

    @Override
    public void close() throws Exception {
        while (!started.isEmpty()) {
            started.pop().close();
        }
    }
}
