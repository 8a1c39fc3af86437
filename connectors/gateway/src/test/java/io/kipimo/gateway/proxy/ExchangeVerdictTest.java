package io.kipimo.gateway.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class ExchangeVerdictTest {
    @ParameterizedTest
    @CsvSource({
        // isWhole, failed, retriesLeft
        "true, false, 0, RELAY",
        "true, false, 1, RELAY",
        // A response with status 5xx is whole, too: it is better than no response.
        "true, true, 1, RELAY",
        "false, true, 2, RETRY",
        "false, true, 1, RETRY",
        "false, true, 0, FAIL",
        "false, false, 1, IGNORE"
    })
    void theCopyThatWasDecidedOnAnswersAWaitingCaller(
            boolean isWhole, boolean failed, int retriesLeft, ExchangeVerdict verdict) {
        assertThat(ExchangeVerdict.of(ExchangePhase.WAITING, isWhole, failed, retriesLeft))
                .isEqualTo(verdict);
    }

    @ParameterizedTest
    @EnumSource(value = ExchangePhase.class, names = "WAITING", mode = EnumSource.Mode.EXCLUDE)
    void aCallerThatDoesNotWaitGetsNoSecondResponse(ExchangePhase phase) {
        for (boolean isWhole : new boolean[] {false, true}) {
            for (boolean failed : new boolean[] {false, true}) {
                assertThat(ExchangeVerdict.of(phase, isWhole, failed, 1)).isEqualTo(ExchangeVerdict.IGNORE);
            }
        }
    }
}
