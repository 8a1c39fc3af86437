package io.kipimo.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.kipimo.schemas.codec.Codecs;
import io.kipimo.schemas.decision.Decision;
import io.kipimo.schemas.observation.Observation;
import io.kipimo.schemas.topics.Topic;
import io.kipimo.sdk.kafka.KafkaSettings;
import org.apache.flink.api.connector.sink2.Sink;
import org.apache.flink.connector.base.DeliveryGuarantee;
import org.apache.flink.util.InstantiationUtil;
import org.junit.jupiter.api.Test;

class KafkaSinksTest {
    private static final KafkaSettings KAFKA = KafkaSettings.of("broker:9092");

    private static Sink<Observation> observations(DeliveryGuarantee guarantee, String prefix) {
        return KafkaSinks.of(
                KAFKA,
                Topic.OBSERVATIONS,
                Codecs.OBSERVATION,
                RecordKey.text(Observation::server),
                Observation::secondMillis,
                guarantee,
                prefix);
    }

    private static Sink<Decision> decisions(DeliveryGuarantee guarantee) {
        return KafkaSinks.of(
                KAFKA,
                Topic.ADMISSION,
                Codecs.DECISION,
                RecordKey.text(Decision::scope),
                Decision::issuedAtMillis,
                guarantee,
                "admission");
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
    void transactionsNeedAName() {
        assertThat(observations(DeliveryGuarantee.EXACTLY_ONCE, "quality")).isNotNull();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> observations(DeliveryGuarantee.EXACTLY_ONCE, " "))
                .withMessageContaining("transactional id prefix of observations is empty");
    }

    @Test
    void aSinkTravelsWithTheJob() throws Exception {
        assertThat(InstantiationUtil.clone(observations(DeliveryGuarantee.AT_LEAST_ONCE, "")))
                .isNotNull();
        assertThat(InstantiationUtil.clone(new KafkaEpochClaimer(KAFKA))).isNotNull();
    }
}
