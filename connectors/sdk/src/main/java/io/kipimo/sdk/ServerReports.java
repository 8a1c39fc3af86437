package io.kipimo.sdk;

import io.kipimo.schemas.codec.Codec;
import io.kipimo.schemas.codec.Codecs;
import io.kipimo.schemas.tails.ReplicaTruth;
import io.kipimo.schemas.tails.ServerObservation;
import io.kipimo.schemas.topics.Topic;
import io.kipimo.sdk.kafka.KafkaSettings;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * Publishes observations of servers, reported by the servers or by an arbiter in front of them. One connection serves
 * any number of {@link ServerReporter}s. It starts two daemon threads: one sends, one publishes counts every second.
 * While Kafka is unavailable, observations are queued; when the queue is full, they are dropped and counted.
 *
 * <pre>
 * ServerReports reports = ServerReports.connect(kafka);
 * ServerReporter server = reports.of(ServerIdentity.server("shop-search", "index", "shard-1", "shard-1-b", 8));
 * long arrival = server.arrived();
 * server.completed(arrival);
 * </pre>
 */
public final class ServerReports implements AutoCloseable {
    /** Capacity of the queue: one minute of observations of a hundred servers. */
    private static final int BUFFER_OBSERVATIONS = 6_000;

    private final InstantSource clock;
    private final KafkaSettings kafka;
    private final Outbox outbox;
    private final EmissionCounts tally = new EmissionCounts();
    private final List<ServerReporter> reporters = new CopyOnWriteArrayList<>();
    private final EverySecond seconds;

    private ServerReports(KafkaSettings kafka, InstantSource clock) {
        this.clock = clock;
        this.kafka = kafka;
        var producing = Kipimo.producing(kafka, "server-reports");
        outbox = new Outbox(
                BUFFER_OBSERVATIONS,
                () -> new KafkaProducer<>(producing, new ByteArraySerializer(), new ByteArraySerializer()),
                Kipimo.CLOSE_WAIT);
        seconds = new EverySecond(
                "kipimo-server-reports", clock, now -> reporters.forEach(r -> r.publishClosedSecond(now)));
    }

    /**
     * Connects to Kafka. Returns at once, even if Kafka is unavailable.
     *
     * @throws IllegalArgumentException if a secret cannot be read
     */
    public static ServerReports connect(KafkaSettings kafka) {
        return new ServerReports(kafka, InstantSource.system());
    }

    /** A reporter that publishes one observation a second until this is closed. */
    public ServerReporter of(ServerIdentity server) {
        ServerReporter reporter = new ServerReporter(server, System::nanoTime, this::send, clock.millis());
        reporters.add(reporter);
        return reporter;
    }

    /** Delivery counts of everything that was published. */
    public EmitterStats stats() {
        return tally.stats();
    }

    private void send(ServerObservation observation) {
        String scope = String.join(
                "/", observation.service(), observation.tier(), observation.component(), observation.server());
        send(Topic.SERVER_OBSERVATIONS, scope, observation.secondMillis(), Codecs.SERVER_OBSERVATION, observation);
    }

    /** Publishes comparisons of servers' answers to the same queries; call it every few seconds. */
    public void report(ReplicaTruth truth) {
        String scope = truth.service() + '/' + truth.component();
        send(Topic.REPLICA_TRUTH, scope, truth.endMillis(), Codecs.REPLICA_TRUTH, truth);
    }

    private <T> void send(Topic topic, String key, long atMillis, Codec<T> codec, T report) {
        outbox.offer(new Outbox.QueuedEvent<>(kafka.name(topic), key, atMillis, codec, report, tally));
    }

    /** Sends counts and queued observations; gives up after some seconds. */
    @Override
    public void close() {
        if (seconds.end()) {
            reporters.forEach(r -> r.publishOpenSecond(clock.millis()));
        }
        outbox.close();
    }
}
