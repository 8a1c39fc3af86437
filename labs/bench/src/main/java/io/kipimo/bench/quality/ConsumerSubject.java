package io.kipimo.bench.quality;

import io.kipimo.bench.side.BenchmarkSubject;
import io.kipimo.bench.side.CpuClock;
import io.kipimo.bench.side.FirstEvent;
import io.kipimo.bench.side.SideRequest;
import io.kipimo.bench.side.SubjectRun;
import io.kipimo.bench.workload.WorkloadRecorder;
import io.kipimo.schemas.topics.Topic;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/**
 * The lower bound for all sides: it only reads, with one thread for each partition of both topics, and with the
 * product's fetch sizes. No job can be faster.
 */
public final class ConsumerSubject implements BenchmarkSubject {
    @Override
    public SubjectRun run(SideRequest request) throws Exception {
        long cpu = CpuClock.micros();
        ExecutorService threads = Executors.newFixedThreadPool(WorkloadRecorder.PARTITIONS);
        long events = 0;
        long wall;
        try (FirstEvent first = FirstEvent.of(request)) {
            List<Future<Long>> counts = new ArrayList<>();
            for (int i = 0; i < WorkloadRecorder.PARTITIONS; i++) {
                int partition = i;
                counts.add(threads.submit(() -> consume(request, partition)));
            }
            for (Future<Long> count : counts) {
                events += count.get();
            }
            wall = first.microsSince();
        } finally {
            threads.shutdownNow();
        }
        if (events != request.events()) {
            throw new IllegalStateException("read " + events + " events of " + request.events() + " in the topics");
        }
        return new SubjectRun(events, wall, CpuClock.micros() - cpu, Map.of());
    }

    private static long consume(SideRequest request, int partition) {
        Map<String, Object> settings = Map.of(
                ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG,
                request.bootstrapServers(),
                ConsumerConfig.MAX_POLL_RECORDS_CONFIG,
                5_000,
                ConsumerConfig.MAX_PARTITION_FETCH_BYTES_CONFIG,
                4 << 20,
                ConsumerConfig.FETCH_MAX_BYTES_CONFIG,
                16 << 20,
                ConsumerConfig.ISOLATION_LEVEL_CONFIG,
                "read_committed");
        List<TopicPartition> partitions = List.of(
                new TopicPartition(Topic.ANSWERS.name(request.topicPrefix()), partition),
                new TopicPartition(Topic.PARTIALS.name(request.topicPrefix()), partition));
        try (KafkaConsumer<byte[], byte[]> consumer =
                new KafkaConsumer<>(settings, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
            consumer.assign(partitions);
            long remaining = consumer.endOffsets(partitions).values().stream()
                    .mapToLong(Long::longValue)
                    .sum();
            consumer.seekToBeginning(partitions);
            long events = 0;
            while (events < remaining) {
                for (ConsumerRecord<byte[], byte[]> entry : consumer.poll(Duration.ofSeconds(1))) {
                    events++;
                    if (entry.value().length == 0) {
                        throw new IllegalStateException("an event is empty");
                    }
                }
            }
            return events;
        }
    }
}
