package io.kipimo.local;

import io.kipimo.embedded.kafka.TopicConsumers;
import io.kipimo.schemas.codec.Codecs;
import io.kipimo.schemas.quality.Measurement;
import io.kipimo.schemas.topics.Topic;
import io.kipimo.sdk.internal.kafka.TopicReader;
import io.kipimo.sdk.kafka.KafkaSettings;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Waits for the first measured query of a service. */
final class FirstRow implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(FirstRow.class);
    private static final Duration POLL = Duration.ofMillis(250);

    private final Thread thread;
    private volatile boolean isClosed;

    private FirstRow(KafkaSettings kafka, Consumer<Measurement> taker) {
        thread = new Thread(() -> await(kafka, taker), "first-row");
        thread.setDaemon(true);
    }

    /** @param taker receives the first measured query, in another thread */
    static FirstRow of(KafkaSettings kafka, Consumer<Measurement> taker) {
        FirstRow row = new FirstRow(kafka, taker);
        row.thread.start();
        return row;
    }

    private void await(KafkaSettings kafka, Consumer<Measurement> taker) {
        try (KafkaConsumer<byte[], byte[]> consumer = TopicConsumers.fromBeginning(kafka, Topic.QUALITY)) {
            while (!isClosed) {
                for (var entry : consumer.poll(POLL)) {
                    Optional<Measurement> measured = TopicReader.decode(Codecs.MEASUREMENT, entry);
                    if (measured.isPresent()) {
                        taker.accept(measured.get());
                        return;
                    }
                }
            }
        } catch (RuntimeException e) {
            if (!isClosed) {
                LOG.warn("the first measured query cannot be shown: {}", e.getMessage());
            }
        }
    }

    @Override
    public void close() throws InterruptedException {
        isClosed = true;
        thread.join(POLL.toMillis() * 4);
    }
}
