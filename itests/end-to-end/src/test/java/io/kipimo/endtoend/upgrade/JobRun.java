package io.kipimo.endtoend.upgrade;

import io.kipimo.embedded.flink.FlinkCluster;
import io.kipimo.embedded.kafka.TopicLog;
import io.kipimo.jobs.JobEnvironment;
import io.kipimo.jobs.submission.KipimoJob;
import io.kipimo.schemas.codec.Codec;
import io.kipimo.schemas.codec.InvalidRecordException;
import io.kipimo.schemas.policy.Policy;
import io.kipimo.schemas.topics.Topic;
import io.kipimo.sdk.internal.kafka.PolicyStore;
import io.kipimo.sdk.kafka.KafkaSettings;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import org.apache.flink.api.common.JobID;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.StateRecoveryOptions;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** A job with its input and output. */
final class JobRun implements AutoCloseable {
    /** Field 1000, a number, which no message of this version has. */
    private static final byte[] FIELD_OF_A_NEWER_VERSION = {(byte) 0xc0, 0x3e, 7};

    private final KafkaSettings kafka;
    private final RecordedLog before;
    private final boolean writersAreNewer;
    private final KafkaProducer<byte[], byte[]> producer;
    private final Map<Topic, TopicLog<?>> logs = new HashMap<>();

    /**
     * @param before contents of its topics when they were opened
     * @param writersAreNewer whether its input has fields that it does not know
     */
    JobRun(KafkaSettings kafka, RecordedLog before, boolean writersAreNewer) {
        this.kafka = kafka;
        this.before = before;
        this.writersAreNewer = writersAreNewer;
        this.producer = new KafkaProducer<>(kafka.forProducer(), new ByteArraySerializer(), new ByteArraySerializer());
    }

    /** Starts the job of this version. */
    JobID start(FlinkCluster cluster, KipimoJob kipimoJob, Map<String, String> options, Optional<Path> savepoint)
            throws Exception {
        Configuration config = Configuration.fromMap(options);
        config.setString("kafka.bootstrap-servers", kafka.bootstrapServers());
        config.setString("kafka.topic-prefix", kafka.topicPrefix());
        config.setString("parallelism.default", "1");
        KipimoJob.Checked checked = kipimoJob.check(config.clone());
        savepoint.ifPresent(path ->
                config.set(StateRecoveryOptions.SAVEPOINT_PATH, path.toUri().toString()));
        StreamExecutionEnvironment env = cluster.environment(JobEnvironment.withDefaults(config));
        checked.topology().addTo(env);
        return env.executeAsync(kipimoJob.flinkName()).getJobID();
    }

    /** Start of event time, epoch milliseconds; a whole minute. */
    long startMillis() {
        return before.startMillis();
    }

    void send(Policy policy) {
        PolicyStore.publish(kafka, policy);
    }

    <T> void send(Topic topic, String key, Codec<T> codec, T record) throws Exception {
        ByteArrayOutputStream value = new ByteArrayOutputStream();
        value.writeBytes(codec.encode(record));
        if (writersAreNewer) {
            value.writeBytes(FIELD_OF_A_NEWER_VERSION);
        }
        var unused = producer.send(new ProducerRecord<>(
                        kafka.name(topic), 0, key.getBytes(StandardCharsets.UTF_8), value.toByteArray()))
                .get();
    }

    /** The records that were written to a topic in this run. */
    <T> List<T> said(Topic topic, Codec<T> codec) {
        @SuppressWarnings("unchecked") // A topic has one codec.
        TopicLog<T> log =
                (TopicLog<T>) logs.computeIfAbsent(topic, t -> new TopicLog<>(kafka, t, codec, before.size(t)));
        return List.copyOf(log.readOn());
    }

    /** The last matching record of a topic from before this run. */
    <T> T last(Topic topic, Codec<T> codec, Predicate<T> which) throws InvalidRecordException {
        List<RecordedLog.Entry> entries = new ArrayList<>(before.entries());
        Collections.reverse(entries);
        for (RecordedLog.Entry entry : entries) {
            if (entry.topic() == topic && entry.value() != null) {
                T record = codec.decode(entry.value());
                if (which.test(record)) {
                    return record;
                }
            }
        }
        throw new AssertionError("no such record in " + topic);
    }

    RecordedLog recorded() {
        return RecordedLog.of(kafka, startMillis());
    }

    @Override
    public void close() {
        producer.close();
        logs.values().forEach(TopicLog::close);
    }
}
