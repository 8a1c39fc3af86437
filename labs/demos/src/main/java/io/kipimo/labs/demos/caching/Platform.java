package io.kipimo.labs.demos.caching;

import io.kipimo.embedded.kafka.TopicConsumers;
import io.kipimo.embedded.watch.Progress;
import io.kipimo.jobs.invalidation.InvalidationJob;
import io.kipimo.jobs.ttl.TtlJob;
import io.kipimo.local.LocalPlatform;
import io.kipimo.redis.RedisSettings;
import io.kipimo.schemas.caching.RecordWrite;
import io.kipimo.schemas.caching.WriteKind;
import io.kipimo.schemas.topics.Topic;
import io.kipimo.sdk.CachingReports;
import io.kipimo.sdk.kafka.KafkaSettings;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;

/** Broker, Redis and Flink with both caching jobs on this machine. All runs use them. */
final class Platform implements AutoCloseable {
    private static final long PATIENCE_SECONDS = 120;

    private final LocalPlatform local;
    private CachingReports reports;
    private Notifications notifications;

    private Platform(LocalPlatform local) {
        this.local = local;
    }

    /** Starts the platform. Returns when everything serves and the jobs have sent a notification of a write. */
    static Platform start(CachingDemoSettings settings, Progress progress) throws Exception {
        Platform platform = new Platform(LocalPlatform.start(0, progress));
        try {
            platform.startJobs(settings, progress);
        } catch (Exception e) {
            platform.close();
            throw e;
        }
        return platform;
    }

    private void startJobs(CachingDemoSettings settings, Progress progress) throws Exception {
        reports = local.keep(CachingReports.connect(kafka()));
        notifications = local.keep(Notifications.open(kafka()));
        progress.say("starting Flink with the ttl and invalidation jobs");
        Map<String, String> common = new HashMap<>(local.redisOptions());
        common.put("source.idleness", "500 ms");
        Map<String, String> ofTtls = new HashMap<>(common);
        ofTtls.put("ttl.longest", settings.longestTtlMillis() + " ms");
        ofTtls.put("ttl.forget-after", settings.forgetAfterMillis() + " ms");
        ofTtls.put("ttl.write-window", settings.rateWindowMillis() + " ms");
        local.run(TtlJob.NAME, ofTtls, (env, options) -> TtlJob.define(env, TtlJob.OPTIONS.read(options)));
        local.run(
                InvalidationJob.NAME,
                common,
                (env, options) -> InvalidationJob.define(env, InvalidationJob.OPTIONS.read(options)));
        awaitNotification();
    }

    private void awaitNotification() throws InterruptedException {
        String table = "start";
        CountDownLatch told = new CountDownLatch(1);
        notifications.listen(table, (one, nowMillis) -> told.countDown());
        reports.wrote(new RecordWrite(
                        DemoPipeline.SERVICE, table, "first", WriteKind.INSERT, 1, System.currentTimeMillis(), "{}"))
                .join();
        if (!told.await(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
            throw new IllegalStateException("the invalidation job sent no notification in " + PATIENCE_SECONDS + " s");
        }
        notifications.ignore(table);
    }

    KafkaSettings kafka() {
        return local.kafka();
    }

    RedisSettings redis() {
        return local.redis().orElseThrow(() -> new IllegalStateException("Redis does not run here"));
    }

    CachingReports reports() {
        return reports;
    }

    Notifications notifications() {
        return notifications;
    }

    /** Commits the ends of the topic of notifications, so that a consumer group skips its current records. */
    void skipNotifications(String group) {
        Map<String, Object> properties = kafka().forConsumer();
        properties.put("group.id", group);
        properties.put("enable.auto.commit", false);
        try (KafkaConsumer<byte[], byte[]> consumer =
                TopicConsumers.assigned(properties, kafka(), Topic.INVALIDATIONS)) {
            consumer.commitSync(consumer.endOffsets(consumer.assignment()).entrySet().stream()
                    .collect(Collectors.toMap(Map.Entry::getKey, end -> new OffsetAndMetadata(end.getValue()))));
        }
    }

    @Override
    public void close() {
        local.close();
    }
}
