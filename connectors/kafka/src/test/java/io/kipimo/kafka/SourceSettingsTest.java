package io.kipimo.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class SourceSettingsTest {
    @Test
    void defaultsAreThoseOfTheRules() {
        assertThat(SourceSettings.of("quality"))
                .isEqualTo(new SourceSettings(
                        "quality", Duration.ofSeconds(2), Duration.ofSeconds(10), Duration.ofSeconds(60), false));
    }

    @Test
    void everySettingIsTaken() {
        assertThat(SourceSettings.of("quality")
                        .withOutOfOrderness(Duration.ofSeconds(30))
                        .withIdleness(Duration.ofSeconds(3))
                        .withFutureTolerance(Duration.ofSeconds(5))
                        .withBounded(true))
                .isEqualTo(new SourceSettings(
                        "quality", Duration.ofSeconds(30), Duration.ofSeconds(3), Duration.ofSeconds(5), true));
    }

    @Test
    void everyProblemIsNamedAtOnce() {
        assertThatIllegalArgumentException()
                .isThrownBy(() ->
                        new SourceSettings(" ", Duration.ofSeconds(-1), Duration.ZERO, Duration.ofSeconds(-1), false))
                .withMessageContaining("groupId is empty")
                .withMessageContaining("outOfOrderness is PT-1S")
                .withMessageContaining("idleness is PT0S")
                .withMessageContaining("futureTolerance is PT-1S");
    }
}
