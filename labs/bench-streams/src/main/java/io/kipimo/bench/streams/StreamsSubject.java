package io.kipimo.bench.streams;

import io.kipimo.bench.side.Allocation;
import io.kipimo.bench.side.BenchmarkSubject;
import io.kipimo.bench.side.CpuClock;
import io.kipimo.bench.side.EndOffsets;
import io.kipimo.bench.side.FirstEvent;
import io.kipimo.bench.side.SideRequest;
import io.kipimo.bench.side.SubjectRun;
import io.kipimo.schemas.topics.Topic;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.errors.StreamsUncaughtExceptionHandler.StreamThreadExceptionResponse;
import org.apache.kafka.streams.state.Stores;

/**
 * A peer that joins with Kafka Streams: Processor API, two threads, an in-memory store with cache and changelog,
 * at-least-once delivery, and the fetch and batch sizes of the product. It never ends by itself. It counts as ended
 * when the topic has the expected number of results.
 */
public final class StreamsSubject implements BenchmarkSubject {
    private static final int THREADS = 2;
    private static final long POLL_MILLIS = 250;

    /** Size of the cache. It holds the open queries of the log, so that few of their changes reach the changelog. */
    private static final long CACHE_BYTES = 512L << 20;

    private static final long STALLED_NANOS = Duration.ofSeconds(30).toNanos();

    @Override
    public SubjectRun run(SideRequest request) throws Exception {
        String results = Topic.QUALITY.name(request.topicPrefix());
        String id = "streams-" + request.topicPrefix() + request.repetition();
        Path state = Files.createTempDirectory("kipimo-bench-streams");
        AtomicReference<Throwable> failure = new AtomicReference<>();
        long cpu = CpuClock.micros();
        try (Admin admin =
                        Admin.create(Map.of(AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG, request.bootstrapServers()));
                FirstEvent first = FirstEvent.of(request)) {
            EndOffsets ends = new EndOffsets(admin, results);
            long before = ends.sum();
            Allocation allocation = Allocation.start();
            long bytes;
            long wall;
            KafkaStreams streams =
                    new KafkaStreams(topology(request.topicPrefix()), settings(request.bootstrapServers(), id, state));
            try {
                streams.setUncaughtExceptionHandler(e -> {
                    failure.set(e);
                    return StreamThreadExceptionResponse.SHUTDOWN_CLIENT;
                });
                streams.start();
                long idleMicros = awaitResults(ends, before + request.results(), failure);
                wall = first.microsSince() - idleMicros;
                bytes = allocation.bytes();
            } finally {
                streams.close(Duration.ofSeconds(30));
            }
            cpu = CpuClock.micros() - cpu;
            admin.deleteTopics(List.of(id + "-" + JoinProcessor.STORE + "-changelog"))
                    .all()
                    .get();
            return new SubjectRun(
                    request.events(), wall, cpu, Map.of(SubjectRun.BYTES_PER_EVENT, (double) bytes / request.events()));
        } finally {
            delete(state);
        }
    }

    /**
     * Waits for the results. If no further result comes for some time, it does not wait for the missing ones.
     *
     * @return time since the last result was seen, microseconds
     */
    private static long awaitResults(EndOffsets ends, long expected, AtomicReference<Throwable> failure)
            throws Exception {
        long seen = -1;
        long progressNanos = System.nanoTime();
        while (true) {
            if (failure.get() != null) {
                throw new IllegalStateException("Kafka Streams failed", failure.get());
            }
            long now = ends.sum();
            if (now != seen) {
                seen = now;
                progressNanos = System.nanoTime();
            }
            if (seen >= expected || System.nanoTime() - progressNanos > STALLED_NANOS) {
                return (System.nanoTime() - progressNanos) / 1000;
            }
            Thread.sleep(POLL_MILLIS);
        }
    }

    private static Topology topology(String prefix) {
        String answers = Topic.ANSWERS.name(prefix);
        Topology topology = new Topology();
        topology.addSource(
                "events",
                Serdes.String().deserializer(),
                Serdes.ByteArray().deserializer(),
                answers,
                Topic.PARTIALS.name(prefix));
        topology.addProcessor("join", () -> new JoinProcessor(answers), "events");
        topology.addStateStore(
                Stores.keyValueStoreBuilder(
                                Stores.inMemoryKeyValueStore(JoinProcessor.STORE), Serdes.String(), Serdes.ByteArray())
                        .withCachingEnabled(),
                "join");
        topology.addSink(
                "results",
                Topic.QUALITY.name(prefix),
                Serdes.String().serializer(),
                Serdes.ByteArray().serializer(),
                "join");
        return topology;
    }

    private static Properties settings(String bootstrapServers, String id, Path state) {
        Properties p = new Properties();
        p.put(StreamsConfig.APPLICATION_ID_CONFIG, id);
        p.put(StreamsConfig.BOOTSTRAP_SERVERS_CONFIG, bootstrapServers);
        p.put(StreamsConfig.STATE_DIR_CONFIG, state.toString());
        p.put(StreamsConfig.NUM_STREAM_THREADS_CONFIG, THREADS);
        p.put(StreamsConfig.PROCESSING_GUARANTEE_CONFIG, StreamsConfig.AT_LEAST_ONCE);
        p.put(StreamsConfig.DEFAULT_TIMESTAMP_EXTRACTOR_CLASS_CONFIG, EventTimes.class);
        p.put(StreamsConfig.COMMIT_INTERVAL_MS_CONFIG, 10_000);
        p.put(StreamsConfig.STATESTORE_CACHE_MAX_BYTES_CONFIG, CACHE_BYTES);
        p.put(StreamsConfig.consumerPrefix(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG), "earliest");
        p.put(StreamsConfig.consumerPrefix(ConsumerConfig.MAX_POLL_RECORDS_CONFIG), 5_000);
        p.put(StreamsConfig.consumerPrefix(ConsumerConfig.MAX_PARTITION_FETCH_BYTES_CONFIG), 4 << 20);
        p.put(StreamsConfig.consumerPrefix(ConsumerConfig.FETCH_MAX_BYTES_CONFIG), 16 << 20);
        p.put(StreamsConfig.producerPrefix(ProducerConfig.LINGER_MS_CONFIG), 5);
        p.put(StreamsConfig.producerPrefix(ProducerConfig.BATCH_SIZE_CONFIG), 256 << 10);
        return p;
    }

    private static void delete(Path directory) throws IOException {
        try (Stream<Path> paths = Files.walk(directory)) {
            for (Path path : paths.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(path);
            }
        }
    }
}
