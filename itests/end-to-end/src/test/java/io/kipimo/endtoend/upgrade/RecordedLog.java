package io.kipimo.endtoend.upgrade;

import io.kipimo.schemas.topics.Topic;
import io.kipimo.sdk.internal.kafka.TopicAdmin;
import io.kipimo.sdk.kafka.KafkaSettings;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * All topics of one job, one partition each, at the time of its savepoint. Offsets in the savepoint refer to this log.
 *
 * @param startMillis event time of its first records, epoch milliseconds
 */
record RecordedLog(long startMillis, List<Entry> entries) {
    record Entry(Topic topic, long timestamp, byte[] key, byte[] value, Map<String, byte[]> headers) {}

    /**
     * Creates topics that keep every record. The log is older than the records appended later. With default settings a
     * broker would soon close its segment, and then delete or compact it.
     */
    static void createTopics(KafkaSettings kafka) throws Exception {
        TopicAdmin.createMissing(kafka, 1, (short) 1);
        Map<ConfigResource, Collection<AlterConfigOp>> forEver = new HashMap<>();
        for (Topic topic : Topic.values()) {
            forEver.put(
                    new ConfigResource(ConfigResource.Type.TOPIC, kafka.name(topic)),
                    List.of(
                            set(TopicConfig.CLEANUP_POLICY_CONFIG, TopicConfig.CLEANUP_POLICY_DELETE),
                            set(TopicConfig.RETENTION_MS_CONFIG, "-1")));
        }
        try (Admin admin = Admin.create(kafka.forAdmin())) {
            admin.incrementalAlterConfigs(forEver).all().get();
        }
    }

    private static AlterConfigOp set(String key, String value) {
        return new AlterConfigOp(new ConfigEntry(key, value), AlterConfigOp.OpType.SET);
    }

    static RecordedLog of(KafkaSettings kafka, long startMillis) {
        List<Entry> entries = new ArrayList<>();
        try (KafkaConsumer<byte[], byte[]> consumer =
                new KafkaConsumer<>(kafka.forReader(), new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
            Map<TopicPartition, Topic> topics = new HashMap<>();
            for (Topic topic : Topic.values()) {
                consumer.partitionsFor(kafka.name(topic))
                        .forEach(p -> topics.put(new TopicPartition(p.topic(), p.partition()), topic));
            }
            consumer.assign(topics.keySet());
            consumer.seekToBeginning(topics.keySet());
            Map<TopicPartition, Long> ends = consumer.endOffsets(topics.keySet());
            while (ends.entrySet().stream().anyMatch(e -> consumer.position(e.getKey()) < e.getValue())) {
                for (ConsumerRecord<byte[], byte[]> record : consumer.poll(Duration.ofMillis(200))) {
                    Map<String, byte[]> headers = new HashMap<>();
                    record.headers().forEach(h -> headers.put(h.key(), h.value()));
                    entries.add(new Entry(
                            topics.get(new TopicPartition(record.topic(), record.partition())),
                            record.timestamp(),
                            record.key(),
                            record.value(),
                            headers));
                }
            }
        }
        return new RecordedLog(startMillis, entries);
    }

    /** Number of records of a topic. */
    int size(Topic topic) {
        return (int) entries.stream().filter(e -> e.topic() == topic).count();
    }

    /** Writes it into empty topics. */
    void replay(KafkaSettings kafka) throws Exception {
        try (KafkaProducer<byte[], byte[]> producer =
                new KafkaProducer<>(kafka.forProducer(), new ByteArraySerializer(), new ByteArraySerializer())) {
            List<Future<?>> sent = new ArrayList<>();
            for (Entry entry : entries) {
                Stream<Header> headers =
                        entry.headers().entrySet().stream().map(h -> new RecordHeader(h.getKey(), h.getValue()));
                sent.add(producer.send(new ProducerRecord<>(
                        kafka.name(entry.topic()),
                        0,
                        entry.timestamp(),
                        entry.key(),
                        entry.value(),
                        headers.toList())));
            }
            for (Future<?> each : sent) {
                each.get();
            }
        }
    }

    void write(Path file) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            out.writeLong(startMillis);
            out.writeInt(entries.size());
            for (Entry entry : entries) {
                out.writeUTF(entry.topic().suffix());
                out.writeLong(entry.timestamp());
                write(out, entry.key());
                write(out, entry.value());
                out.writeInt(entry.headers().size());
                for (Map.Entry<String, byte[]> header : entry.headers().entrySet()) {
                    out.writeUTF(header.getKey());
                    write(out, header.getValue());
                }
            }
        }
        Files.write(file, bytes.toByteArray());
    }

    static RecordedLog read(Path file) throws IOException {
        try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(Files.readAllBytes(file)))) {
            long startMillis = in.readLong();
            List<Entry> entries = new ArrayList<>();
            for (int left = in.readInt(); left > 0; left--) {
                Topic topic = topic(in.readUTF());
                long timestamp = in.readLong();
                byte[] key = read(in);
                byte[] value = read(in);
                Map<String, byte[]> headers = new HashMap<>();
                for (int more = in.readInt(); more > 0; more--) {
                    headers.put(in.readUTF(), read(in));
                }
                entries.add(new Entry(topic, timestamp, key, value, headers));
            }
            return new RecordedLog(startMillis, entries);
        }
    }

    private static Topic topic(String suffix) {
        return Stream.of(Topic.values())
                .filter(t -> t.suffix().equals(suffix))
                .findFirst()
                .orElseThrow();
    }

    private static void write(DataOutputStream out, byte[] bytes) throws IOException {
        out.writeInt(bytes == null ? -1 : bytes.length);
        if (bytes != null) {
            out.write(bytes);
        }
    }

    private static byte[] read(DataInputStream in) throws IOException {
        int length = in.readInt();
        return length < 0 ? null : in.readNBytes(length);
    }
}
