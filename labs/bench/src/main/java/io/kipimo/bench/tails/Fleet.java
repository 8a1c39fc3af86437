package io.kipimo.bench.tails;

import io.kipimo.bench.workload.WorkloadRecorder;
import io.kipimo.core.tails.LatencySketch;
import io.kipimo.schemas.codec.Codecs;
import io.kipimo.schemas.policy.ClassPolicy;
import io.kipimo.schemas.policy.Policy;
import io.kipimo.schemas.tails.ServerObservation;
import io.kipimo.schemas.tails.ServerObservationBuilder;
import io.kipimo.schemas.tails.TrafficCountsBuilder;
import io.kipimo.schemas.tails.Vantage;
import io.kipimo.schemas.topics.Topic;
import io.kipimo.sdk.internal.kafka.PolicyStore;
import io.kipimo.sdk.internal.kafka.TopicAdmin;
import io.kipimo.sdk.kafka.KafkaSettings;
import io.kipimo.simulator.report.Phrase;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * A service of two tiers. Writes some seconds of observations of all servers to a log. Each server has a hundred
 * requests a second with heavy-tailed latencies.
 *
 * @param servers total, a multiple of 100: components of 50 servers, in two tiers
 * @param seconds a multiple of 60
 */
record Fleet(int servers, int seconds, long startMillis) {
    static final String SERVICE = "bench";
    static final int REQUESTS = 100;
    static final int SERVERS_A_COMPONENT = 50;
    static final int PARTITIONS = 4;
    private static final int SKETCHES = 500;

    /** A fleet whose last second ended a minute ago, at the end of a window. */
    static Fleet of(int servers, int seconds, long nowMillis) {
        long end = (nowMillis - 120_000) / 60_000 * 60_000;
        return new Fleet(servers, seconds, end - 1000L * seconds);
    }

    int components() {
        return servers / SERVERS_A_COMPONENT;
    }

    long observations() {
        return (long) servers * seconds;
    }

    /** Scopes of all levels. */
    long scopes() {
        return servers + (long) components() + 2 + 1;
    }

    /** Windows that end within the fleet's time: one every 10 s, and a sliding one every minute. */
    long windows() {
        return scopes() * (seconds / 10 + seconds / 60);
    }

    /** Requests in all these windows, counted once for each level and window. */
    long completions() {
        long tumbling = 4L * observations() * REQUESTS;
        long minutes = seconds / 60;
        // The n-th sliding window covers n minutes, at most ten.
        long sliding = 0;
        for (long n = 1; n <= minutes; n++) {
            sliding += 4L * servers * 60 * Math.min(n, 10) * REQUESTS;
        }
        return tumbling + sliding;
    }

    long endMillis() {
        return startMillis + 1000L * seconds;
    }

    /** Writes every second, then one more that moves event time past the end; returns mean bytes. */
    double record(KafkaSettings kafka) throws Exception {
        TopicAdmin.createMissing(kafka, PARTITIONS, (short) 1);
        PolicyStore.publish(kafka, policy());
        Random random = new Random(4711);
        List<byte[]> sketches = new ArrayList<>();
        for (int i = 0; i < SKETCHES; i++) {
            LatencySketch sketch = new LatencySketch();
            for (int request = 0; request < REQUESTS; request++) {
                sketch.record((long) (8_000 * Math.exp(1.2 * random.nextGaussian())));
            }
            sketches.add(sketch.toBytes());
        }
        Map<String, Object> properties = WorkloadRecorder.producer(kafka);
        AtomicReference<Exception> failure = new AtomicReference<>();
        long bytes = 0;
        try (KafkaProducer<byte[], byte[]> producer =
                new KafkaProducer<>(properties, new ByteArraySerializer(), new ByteArraySerializer())) {
            for (int second = 0; second < seconds; second++) {
                for (int server = 0; server < servers; server++) {
                    byte[] value = Codecs.SERVER_OBSERVATION.encode(
                            observation(server, startMillis + 1000L * second, sketches.get(random.nextInt(SKETCHES))));
                    bytes += value.length;
                    send(producer, kafka, server % PARTITIONS, server, value, failure);
                }
            }
            for (int partition = 0; partition < PARTITIONS; partition++) {
                byte[] value =
                        Codecs.SERVER_OBSERVATION.encode(observation(partition, endMillis() + 9_000, sketches.get(0)));
                send(producer, kafka, partition, partition, value, failure);
            }
        }
        if (failure.get() != null) {
            throw failure.get();
        }
        return (double) bytes / observations();
    }

    private static void send(
            KafkaProducer<byte[], byte[]> producer,
            KafkaSettings kafka,
            int partition,
            int server,
            byte[] value,
            AtomicReference<Exception> failure) {
        var unused = producer.send(
                new ProducerRecord<>(
                        kafka.name(Topic.SERVER_OBSERVATIONS),
                        partition,
                        null,
                        ("server-" + server).getBytes(StandardCharsets.UTF_8),
                        value),
                (metadata, e) -> {
                    if (e != null) {
                        failure.set(e);
                    }
                });
    }

    private ServerObservation observation(int server, long secondMillis, byte[] sketch) {
        int component = server / SERVERS_A_COMPONENT;
        return ServerObservationBuilder.builder()
                .service(SERVICE)
                .tier(component < components() / 2 ? "front" : "index")
                .component("component-" + component)
                .server("server-" + server)
                .vantage(Vantage.SERVER)
                .secondMillis(secondMillis)
                .counts(TrafficCountsBuilder.builder()
                        .arrivals(REQUESTS + 1)
                        .completions(REQUESTS)
                        .timedOut(1)
                        .connections(10)
                        .inServiceMicros(1_700_000)
                        .busyCoreMicros(1_400_000)
                        .coreMicros(4_000_000)
                        .observedMicros(1_000_000)
                        .build())
                .latencies(sketch)
                .build();
    }

    private static Policy policy() {
        return Policy.builder()
                .service(SERVICE)
                .version(1)
                .metrics(List.of("tpr@20"))
                .expirationWindowMillis(2_000)
                .windowMillis(600_000)
                .classes(List.of(ClassPolicy.builder()
                        .name("all")
                        .priority(0)
                        .objective(0.9)
                        .floor(1)
                        .build()))
                .build();
    }

    String describe() {
        return Phrase.of(
                "%,d servers in %,d components of two tiers, %d seconds, %d requests a server and" + " second",
                servers, components(), seconds, REQUESTS);
    }
}
