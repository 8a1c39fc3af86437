package io.kipimo.gateway.proxy;

import static io.kipimo.gateway.proxy.ExchangePhase.ANSWERED;
import static io.kipimo.gateway.proxy.ExchangePhase.RELAYING;
import static io.kipimo.gateway.proxy.ExchangePhase.UNANSWERED;
import static io.kipimo.gateway.proxy.ExchangePhase.WAITING;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class ExchangePhaseTest {
    @Test
    void aResponseIsChosenOnce() {
        assertThat(WAITING.relay()).isEqualTo(RELAYING);
        assertThatThrownBy(RELAYING::relay)
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("exchange is RELAYING, not WAITING");
        assertThatThrownBy(ANSWERED::relay).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(UNANSWERED::relay).isInstanceOf(IllegalStateException.class);
    }

    @ParameterizedTest
    @EnumSource(names = {"WAITING", "RELAYING"})
    void anExchangeUnderWayIsAnsweredOrLeft(ExchangePhase phase) {
        assertThat(phase.isOver()).isFalse();
        assertThat(phase.answer()).isEqualTo(ANSWERED);
        assertThat(phase.leave()).isEqualTo(UNANSWERED);
    }

    @ParameterizedTest
    @EnumSource(names = {"ANSWERED", "UNANSWERED"})
    void anExchangeEndsOnce(ExchangePhase phase) {
        assertThat(phase.isOver()).isTrue();
        assertThatThrownBy(phase::answer).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(phase::leave).isInstanceOf(IllegalStateException.class);
    }

    @ParameterizedTest
    @CsvSource({
        "WAITING, false, true, false",
        "WAITING, true, true, false",
        "RELAYING, false, true, false",
        "RELAYING, true, true, false",
        "ANSWERED, false, false, false",
        "ANSWERED, true, false, false",
        "UNANSWERED, false, false, false",
        "UNANSWERED, true, true, true"
    })
    void aLateResponseIsOfUseOnlyIfItIsRecorded(
            ExchangePhase phase, boolean recordsLate, boolean isWanted, boolean isLate) {
        assertThat(phase.wantsResponse(recordsLate)).isEqualTo(isWanted);
        assertThat(phase.isLate(recordsLate)).isEqualTo(isLate);
    }
}
