package io.kipimo.sdk;

import static io.kipimo.sdk.SampleService.HIGH;
import static io.kipimo.sdk.SampleService.LOW;
import static io.kipimo.sdk.SampleService.NOW;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import io.kipimo.schemas.completeness.CompletenessModel;
import io.kipimo.schemas.completeness.ComponentLoss;
import io.kipimo.schemas.quality.Invocation;
import io.kipimo.schemas.quality.Outcome;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CompletenessClientTest {
    private static final Invocation A = new Invocation("a", Outcome.IN_TIME, 5_000);
    private static final Invocation LATE_B = new Invocation("b", Outcome.TIMED_OUT, 30_000);
    private static final Invocation BROKEN_C = new Invocation("c", Outcome.FAILED, 1_000);

    private long now = NOW;
    private final CompletenessClient client =
            new CompletenessClient(SampleService.config(), () -> Instant.ofEpochMilli(now));

    private static CompletenessModel model(String service, String queryClass, long asOfMillis, double lossOfB) {
        return new CompletenessModel(
                service,
                queryClass,
                "tpr@20",
                asOfMillis,
                100,
                0.25,
                List.of(new ComponentLoss("b", lossOfB, 100)),
                List.of());
    }

    @Test
    void completeAnswersAreCompleteAlsoBeforeAnythingIsLearned() {
        assertThat(client.predict(HIGH, List.of(A))).hasValue(1);
        assertThat(client.predict(HIGH, List.of(A, LATE_B))).isEmpty();
    }

    @Test
    void missingComponentsCostTheirUsualLoss() {
        client.offer(model("search", HIGH, NOW, 0.13));
        assertThat(client.predict(HIGH, List.of(A, LATE_B)).orElseThrow()).isCloseTo(0.87, within(1e-12));
        assertThat(client.predict(HIGH, List.of(A, LATE_B, BROKEN_C)).orElseThrow())
                .isCloseTo(0.62, within(1e-12));
        assertThat(client.predict(LOW, List.of(A, LATE_B))).as("another class").isEmpty();
    }

    @Test
    void whatWasNotAskedCostsWhatWasStated() {
        Invocation leftOut = new Invocation("d", Outcome.NOT_ASKED, 0);
        client.offer(model("search", HIGH, NOW, 0.13));

        assertThat(client.predict(HIGH, List.of(A, leftOut)))
                .as("nobody stated it")
                .isEmpty();
        assertThat(client.predict(HIGH, List.of(A, leftOut), Optional.of(0.1)).orElseThrow())
                .isCloseTo(0.9, within(1e-12));
        assertThat(client.predict(HIGH, List.of(A, LATE_B, leftOut), Optional.of(0.1))
                        .orElseThrow())
                .isCloseTo(0.77, within(1e-12));
    }

    @Test
    void onlyNewerModelsOfThisServiceAreTaken() {
        client.offer(model("search", HIGH, NOW, 0.2));
        client.offer(model("search", HIGH, NOW - 1, 0.9));
        client.offer(model("shop", HIGH, NOW + 1, 0.9));
        client.offer(model("search", "undeclared", NOW + 1, 0.9));
        assertThat(client.predict(HIGH, List.of(LATE_B)).orElseThrow()).isCloseTo(0.8, within(1e-12));
    }

    @Test
    void modelsExpireAfterADay() {
        client.offer(model("search", HIGH, NOW, 0.2));
        now += CompletenessClient.MAXIMUM_AGE_MILLIS;
        assertThat(client.predict(HIGH, List.of(LATE_B))).isPresent();
        now++;
        assertThat(client.predict(HIGH, List.of(LATE_B))).isEmpty();
    }

    @Test
    void undeclaredClassesAreNamed() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> client.predict("hihg", List.of(A)))
                .withMessageContaining("'hihg'; allowed: [high, low]");
    }

    @ParameterizedTest
    @CsvSource({"1, 1.00", "0.9999, 0.99", "0.87, 0.87", "0.29, 0.29", "1e-9, 0.00", "0, 0.00"})
    void onlyCompleteAnswersGetAHeaderOfOne(double prediction, String header) {
        assertThat(CompletenessClient.format(prediction)).isEqualTo(header);
    }
}
