package io.kipimo.sdk;

import static io.kipimo.sdk.SampleService.NOW;
import static io.kipimo.sdk.SampleService.admission;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.kipimo.schemas.codec.Codecs;
import io.kipimo.schemas.decision.Decision;
import io.kipimo.sdk.TopicFollower.TopicSubscription;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

class TopicFollowerTest {
    private static final String TOPIC = "kipimo.admission";

    private final List<Decision> heard = new CopyOnWriteArrayList<>();
    private final AtomicInteger unreadable = new AtomicInteger();

    private TopicFollower follow(Supplier<Consumer<byte[], byte[]>> consumers) {
        return new TopicFollower(
                List.of(
                        new TopicSubscription<>(TOPIC, Codecs.DECISION, heard::add, unreadable::incrementAndGet),
                        new TopicSubscription<>(
                                "not-there-yet", Codecs.POLICY, policy -> {}, unreadable::incrementAndGet)),
                consumers);
    }

    private static MockConsumer<byte[], byte[]> holding(byte[]... values) {
        MockConsumer<byte[], byte[]> consumer = new MockConsumer<>("earliest");
        TopicPartition partition = new TopicPartition(TOPIC, 0);
        consumer.updatePartitions(TOPIC, List.of(new PartitionInfo(TOPIC, 0, null, null, null)));
        consumer.updateBeginningOffsets(Map.of(partition, 0L));
        consumer.schedulePollTask(() -> {
            for (int i = 0; i < values.length; i++) {
                consumer.addRecord(new ConsumerRecord<>(TOPIC, 0, i, new byte[] {1}, values[i]));
            }
        });
        return consumer;
    }

    @Test
    void everyRecordIsReadFromTheBeginning() {
        Decision first = admission("search/low", 1, 1, 0.5, NOW);
        Decision second = admission("search/low", 1, 2, 0.6, NOW);
        MockConsumer<byte[], byte[]> consumer =
                holding(Codecs.DECISION.encode(first), new byte[] {(byte) 0xff}, null, Codecs.DECISION.encode(second));
        TopicFollower follower = follow(() -> consumer);
        await().until(() -> heard.size() == 2);
        follower.close();
        assertThat(heard).containsExactly(first, second);
        assertThat(unreadable).hasValue(1);
        assertThat(consumer.closed()).isTrue();
    }

    @Test
    void anUnavailableBrokerIsRetried() {
        AtomicInteger tries = new AtomicInteger();
        Decision decision = admission("search/low", 1, 1, 0.5, NOW);
        TopicFollower follower = follow(() -> {
            if (tries.incrementAndGet() == 1) {
                throw new KafkaException("no such host");
            }
            return holding(Codecs.DECISION.encode(decision));
        });
        await().until(() -> heard.size() == 1);
        follower.close();
        assertThat(heard).containsExactly(decision);
    }

    @Test
    void aTakerThatThrowsStopsNothingButItsRecord() {
        Decision first = admission("search/low", 1, 1, 0.5, NOW);
        Decision second = admission("search/low", 1, 2, 0.6, NOW);
        MockConsumer<byte[], byte[]> consumer = holding(Codecs.DECISION.encode(first), Codecs.DECISION.encode(second));
        TopicFollower follower = new TopicFollower(
                List.of(new TopicSubscription<>(
                        TOPIC,
                        Codecs.DECISION,
                        decision -> {
                            if (decision.sequence() == 1) {
                                throw new IllegalStateException("not this one");
                            }
                            heard.add(decision);
                        },
                        unreadable::incrementAndGet)),
                () -> consumer);
        await().until(() -> heard.size() == 1);
        follower.close();
        assertThat(heard).containsExactly(second);
        assertThat(unreadable).hasValue(1);
    }
}
