package io.kipimo.sdk;

import io.kipimo.schemas.codec.Codecs;
import io.kipimo.schemas.decision.Decision;
import io.kipimo.schemas.observation.Observation;
import io.kipimo.schemas.topics.Topic;
import io.kipimo.sdk.TopicFollower.TopicSubscription;
import io.kipimo.sdk.internal.kafka.TopicAdmin;
import io.kipimo.sdk.kafka.KafkaSettings;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongUnaryOperator;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * A service's connection to Kipimo. It starts three daemon threads: one sends events, one publishes counts every
 * second, one reads decisions and models.
 */
public final class Kipimo implements AutoCloseable {
    static final Duration CLOSE_WAIT = Duration.ofSeconds(5);

    /** Makes the names of producers unique, since producers of one name would share their JMX figures. */
    private static final AtomicInteger MADE = new AtomicInteger();

    private final InstantSource clock;
    private final Outbox outbox;
    private final Emitter emitter;
    private final ServiceMeter meter;
    private final AdmissionClient admission;
    private final CompletenessClient completeness;
    private final ReplicationClient replication;
    private final FanOutClient fanOut;
    private final TopicFollower follower;
    private final EverySecond seconds;

    private final LongUnaryOperator emittedUpTo;

    private Kipimo(KipimoConfig config, InstantSource clock, LongUnaryOperator emittedUpTo) {
        this.clock = clock;
        this.emittedUpTo = emittedUpTo;
        KafkaSettings kafka = config.kafka();
        Map<String, Object> producing = producing(kafka, "emitter");
        Map<String, Object> consuming = consuming(kafka);
        SamplingRates rates = new SamplingRates(config.initialSamplingRate());
        outbox = new Outbox(
                config.bufferEvents(),
                () -> new KafkaProducer<>(producing, new ByteArraySerializer(), new ByteArraySerializer()),
                CLOSE_WAIT,
                // They move event time.
                kafka.name(Topic.OBSERVATIONS));
        fanOut = new FanOutClient(config, clock);
        emitter = new Emitter(
                outbox, rates, fanOut::explorationAt, config.profilingShare(), kafka, config.variant(), clock);
        admission = new AdmissionClient(config, clock, () -> TimeUnit.NANOSECONDS.toMillis(System.nanoTime()));
        completeness = new CompletenessClient(config, clock);
        replication = new ReplicationClient(config, clock, () -> TimeUnit.NANOSECONDS.toMillis(System.nanoTime()));
        EmissionCounts observations = new EmissionCounts();
        meter = new ServiceMeter(
                config,
                admission::fraction,
                emitter::stats,
                o -> outbox.offer(queued(o, kafka.name(Topic.OBSERVATIONS), observations)),
                emittedUpTo.applyAsLong(clock.millis()));
        follower = new TopicFollower(
                List.of(
                        new TopicSubscription<>(
                                kafka.name(Topic.ADMISSION), Codecs.DECISION, admission::offer, admission::unreadable),
                        new TopicSubscription<>(
                                kafka.name(Topic.SAMPLING),
                                Codecs.DECISION,
                                decision -> {
                                    if (decision.controller().equals(Decision.SAMPLING)
                                            && decision.scope().equals(config.service())) {
                                        rates.accept(decision);
                                    }
                                },
                                admission::unreadable),
                        new TopicSubscription<>(
                                kafka.name(Topic.COMPLETENESS),
                                Codecs.COMPLETENESS_MODEL,
                                completeness::offer,
                                completeness::unreadable),
                        new TopicSubscription<>(
                                kafka.name(Topic.REPLICATION),
                                Codecs.REPLICATION_DECISION,
                                replication::offer,
                                replication::unreadable),
                        new TopicSubscription<>(
                                kafka.name(Topic.FAN_OUT),
                                Codecs.FAN_OUT_PUBLICATION,
                                fanOut::offer,
                                fanOut::unreadable)),
                () -> new KafkaConsumer<>(consuming, new ByteArrayDeserializer(), new ByteArrayDeserializer()));
        seconds =
                new EverySecond("kipimo-meter", clock, now -> meter.publishClosedSeconds(emittedUpTo.applyAsLong(now)));
    }

    /**
     * Connects a service to Kipimo. Returns at once, even if Kafka is unavailable, unless the configuration
     * {@linkplain KipimoConfig#brokerWait requires} Kafka.
     *
     * @throws io.kipimo.sdk.kafka.BrokerUnavailableException if Kafka is required and does not answer in time
     * @throws IllegalArgumentException if a secret cannot be read
     */
    public static Kipimo connect(KipimoConfig config) {
        return connect(config, LongUnaryOperator.identity());
    }

    /**
     * As above, for a program that holds answers and results for a while before it emits them. Its counts are published
     * after the answers of their time, because counts advance event time and would make later answers late.
     *
     * @param emittedUpTo maps the present time, epoch milliseconds, to the time up to which all answers and results
     *     have been emitted, by their own times; at most the present time. Counts are published up to that time.
     */
    public static Kipimo connect(KipimoConfig config, LongUnaryOperator emittedUpTo) {
        if (!config.brokerWait().isZero()) {
            TopicAdmin.awaitBroker(config.kafka(), config.brokerWait());
        }
        return new Kipimo(config, InstantSource.system(), emittedUpTo);
    }

    /** Publishes answers and partial results of sampled queries. */
    public Emitter emitter() {
        return emitter;
    }

    /** Counts all queries. */
    public ServiceMeter meter() {
        return meter;
    }

    /** Admits or sheds queries. */
    public AdmissionClient admission() {
        return admission;
    }

    /** Predicts the quality of answers. */
    public CompletenessClient completeness() {
        return completeness;
    }

    /** Gives the number of copies of a request, by tier. */
    public ReplicationClient replication() {
        return replication;
    }

    /** Chooses which components a query asks. */
    public FanOutClient fanOut() {
        return fanOut;
    }

    /** Sends queued events and the counts of the current second; gives up after some seconds. */
    @Override
    public void close() {
        if (seconds.end()) {
            // Another instance may still hold answers of the time since then.
            meter.publishClosedSeconds(emittedUpTo.applyAsLong(clock.millis()) + 1000);
        }
        follower.close();
        outbox.close();
    }

    private static Outbox.QueuedEvent<Observation> queued(Observation observation, String topic, EmissionCounts tally) {
        return new Outbox.QueuedEvent<>(
                topic,
                observation.service() + '/' + observation.tier() + '/' + observation.server(),
                observation.secondMillis(),
                Codecs.OBSERVATION,
                observation,
                tally);
    }

    /** @param role what the producer sends; part of its name at the brokers and in logs */
    static Map<String, Object> producing(KafkaSettings kafka, String role) {
        Map<String, Object> properties = kafka.forProducer();
        properties.putIfAbsent(ProducerConfig.CLIENT_ID_CONFIG, "kipimo-" + role + '-' + MADE.incrementAndGet());
        properties.put(ProducerConfig.ACKS_CONFIG, "all");
        properties.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, 500);
        properties.putIfAbsent(ProducerConfig.LINGER_MS_CONFIG, 5);
        properties.putIfAbsent(ProducerConfig.BUFFER_MEMORY_CONFIG, 16L << 20);
        properties.putIfAbsent(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, 60_000);
        // Fewer lines in the service's log while the broker is unavailable.
        properties.putIfAbsent(ProducerConfig.RECONNECT_BACKOFF_MAX_MS_CONFIG, 5_000);
        return properties;
    }

    private static Map<String, Object> consuming(KafkaSettings kafka) {
        Map<String, Object> properties = kafka.forReader();
        properties.put(ConsumerConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, 5_000);
        properties.putIfAbsent(ConsumerConfig.RECONNECT_BACKOFF_MAX_MS_CONFIG, 5_000);
        return properties;
    }
}
