package io.kipimo.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.kipimo.schemas.codec.Codecs;
import io.kipimo.schemas.decision.Decision;
import io.kipimo.schemas.observation.Observation;
import io.kipimo.schemas.topics.Topic;
import io.kipimo.sdk.kafka.KafkaSettings;
import java.util.Map;
import org.apache.flink.api.common.serialization.SerializationSchema;
import org.apache.flink.api.connector.sink2.Sink;
import org.apache.flink.connector.base.DeliveryGuarantee;
import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.MetricGroup;
import org.apache.flink.metrics.SimpleCounter;
import org.apache.flink.metrics.groups.UnregisteredMetricsGroup;
import org.apache.flink.util.InstantiationUtil;
import org.apache.flink.util.UserCodeClassLoader;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.Test;

class KafkaSinksTest {
    private static final KafkaSettings KAFKA = KafkaSettings.of("broker:9092");

    private static Sink<Observation> observations(DeliveryGuarantee guarantee, String prefix) {
        return KafkaSinks.of(
                KAFKA,
                TopicRecords.of(Topic.OBSERVATIONS, Codecs.OBSERVATION, Observation::server, Observation::secondMillis),
                guarantee,
                prefix);
    }

    private static Sink<Decision> decisions(DeliveryGuarantee guarantee) {
        return KafkaSinks.of(KAFKA, TopicRecords.ADMISSION, guarantee, "admission");
    }

    @Test
    void theGuaranteeNoneIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> observations(DeliveryGuarantee.NONE, ""))
                .withMessageContaining("allowed: AT_LEAST_ONCE, EXACTLY_ONCE");
    }

    @Test
    void commandsAreNeverHeldBackByTransactions() {
        assertThat(decisions(DeliveryGuarantee.AT_LEAST_ONCE)).isNotNull();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> decisions(DeliveryGuarantee.EXACTLY_ONCE))
                .withMessageContaining("guarantee of admission is exactly-once");
    }

    @Test
    void transactionsNeedTheNameOfAJob() {
        assertThat(observations(DeliveryGuarantee.EXACTLY_ONCE, "quality")).isNotNull();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> observations(DeliveryGuarantee.EXACTLY_ONCE, " "))
                .withMessageContaining("job that writes observations is empty");
    }

    @Test
    void aSinkTravelsWithTheJob() throws Exception {
        assertThat(InstantiationUtil.clone(observations(DeliveryGuarantee.AT_LEAST_ONCE, "")))
                .isNotNull();
        assertThat(InstantiationUtil.clone(new KafkaEpochClaimer(KAFKA))).isNotNull();
        assertThat(InstantiationUtil.clone(new KafkaPolicies(KAFKA))).isNotNull();
    }

    @Test
    void brokersSeeWhoseProducerItIs() {
        assertThat(KafkaSinks.producer(KAFKA, "kipimo-quality-windows"))
                .containsEntry("client.id", "kipimo-quality-windows");
        KafkaSettings named = new KafkaSettings("broker:9092", "kipimo.", Map.of("client.id", "mine"));
        assertThat(KafkaSinks.producer(named, "other")).containsEntry("client.id", "mine");
    }

    private static final class Counting implements SerializationSchema.InitializationContext {
        private final SimpleCounter counter = new SimpleCounter();

        @Override
        public MetricGroup getMetricGroup() {
            return new UnregisteredMetricsGroup() {
                @Override
                public MetricGroup addGroup(String name) {
                    return this;
                }

                @Override
                public Counter counter(String name) {
                    return counter;
                }
            };
        }

        @Override
        public UserCodeClassLoader getUserCodeClassLoader() {
            throw new UnsupportedOperationException();
        }
    }

    @Test
    void whatCannotBeWrittenIsLeftOutAndCounted() throws Exception {
        var sizes = new WritableEntries<Integer>(
                (bytes, context, timestamp) -> {
                    if (bytes < 0) {
                        throw new IllegalArgumentException("score is NaN; allowed: 0..1");
                    }
                    return new ProducerRecord<>("topic", new byte[10], new byte[bytes]);
                },
                10_000);
        Counting counting = new Counting();
        sizes.open(counting, null);

        assertThat(sizes.serialize(100, null, 1L)).isNotNull();
        assertThat(sizes.serialize(-1, null, 1L)).as("cannot be encoded").isNull();
        assertThat(sizes.serialize(9_990, null, 1L)).as("larger than a request").isNull();
        assertThat(sizes.serialize(100, null, 1L)).as("the next one").isNotNull();
        assertThat(counting.counter.getCount()).isEqualTo(2);
    }
}
