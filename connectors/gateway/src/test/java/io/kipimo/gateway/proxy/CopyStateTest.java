package io.kipimo.gateway.proxy;

import static io.kipimo.gateway.proxy.CopyState.BROKEN;
import static io.kipimo.gateway.proxy.CopyState.COMPLETE;
import static io.kipimo.gateway.proxy.CopyState.RESPONDING;
import static io.kipimo.gateway.proxy.CopyState.SENT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class CopyStateTest {
    @Test
    void aResponseHasAHeadAndAnEnd() {
        assertThat(SENT.head()).isEqualTo(RESPONDING);
        assertThat(RESPONDING.complete()).isEqualTo(COMPLETE);
        assertThatThrownBy(RESPONDING::head).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(SENT::complete)
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("copy is SENT, not RESPONDING");
    }

    @ParameterizedTest
    @EnumSource(names = {"SENT", "RESPONDING"})
    void aCopyUnderWayCanBreakOff(CopyState state) {
        assertThat(state.hasEnded()).isFalse();
        assertThat(state.breakOff()).isEqualTo(BROKEN);
    }

    @ParameterizedTest
    @EnumSource(names = {"COMPLETE", "BROKEN"})
    void aCopyEndsOnce(CopyState state) {
        assertThat(state.hasEnded()).isTrue();
        assertThatThrownBy(state::head).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(state::complete).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(state::breakOff).isInstanceOf(IllegalStateException.class);
    }

    @ParameterizedTest
    @EnumSource
    void onlyAWholeResponseLeavesItsConnectionReusable(CopyState state) {
        assertThat(state.leavesConnectionReusable()).isEqualTo(state == COMPLETE);
    }
}
