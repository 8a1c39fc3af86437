package io.kipimo.sdk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.kipimo.sdk.kafka.KafkaSettings;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class KipimoConfigTest {
    private static final KafkaSettings KAFKA = KafkaSettings.of("broker:9092");

    @Test
    void defaultsNeedOnlyAClass() {
        KipimoConfig config = KipimoConfig.builder("search", "s1", KAFKA)
                .queryClass("high", ClassDefaults.ALL)
                .build();
        assertThat(config.tier()).isEqualTo("front");
        assertThat(config.initialSamplingRate()).isEqualTo(0.01);
        assertThat(config.profilingShare()).isEqualTo(0.1);
        assertThat(config.bufferEvents()).isEqualTo(10_000);
        assertThat(config.brokerWait()).isZero();
    }

    @Test
    void everySettingIsTaken() {
        KipimoConfig config = KipimoConfig.builder("search", "s1", KAFKA)
                .tier("leaf")
                .initialSamplingRate(0.5)
                .profilingShare(0.3)
                .queryClass("high", ClassDefaults.ALL)
                .queryClass("low", ClassDefaults.sheddable(0.2))
                .bufferEvents(7)
                .requireBroker(Duration.ofSeconds(3))
                .build();
        assertThat(config.tier()).isEqualTo("leaf");
        assertThat(config.initialSamplingRate()).isEqualTo(0.5);
        assertThat(config.profilingShare()).isEqualTo(0.3);
        assertThat(config.classes()).containsOnlyKeys("high", "low");
        assertThat(config.classes().get("low")).isEqualTo(new ClassDefaults(1, 0.2, 1));
        assertThat(config.bufferEvents()).isEqualTo(7);
        assertThat(config.brokerWait()).isEqualTo(Duration.ofSeconds(3));
    }

    @Test
    void everyProblemIsNamedAtOnce() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> KipimoConfig.builder("a/b", "", null)
                        .initialSamplingRate(Double.NaN)
                        .profilingShare(1.5)
                        .bufferEvents(0)
                        .requireBroker(Duration.ofSeconds(-1))
                        .build())
                .withMessageContaining("service is 'a/b'")
                .withMessageContaining("server is ''")
                .withMessageContaining("kafka is not set")
                .withMessageContaining("initialSamplingRate is NaN; allowed: 0..1")
                .withMessageContaining("profilingShare is 1.5; allowed: 0..1")
                .withMessageContaining("classes is empty")
                .withMessageContaining("bufferEvents is 0")
                .withMessageContaining("brokerWait is PT-1S");
    }

    @ParameterizedTest
    @CsvSource({"1, 0, 1", "0.5, 0.6, 1", "0.5, 0.1, 0.4", "NaN, 0.1, 1", "1, 0.1, 1.1"})
    void fractionsOutOfOrderAreRefused(double safe, double floor, double ceiling) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new ClassDefaults(safe, floor, ceiling))
                .withMessageContaining("allowed");
    }
}
