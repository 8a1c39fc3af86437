package io.kipimo.examples.search.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

class CapacityTest {
    @Test
    void isTheMeanOfTheLastSeconds() {
        Capacity capacity = Capacity.of(List.of(50, 120, 300, 310, 290), 3, 0.1);

        assertThat(capacity.perSecond()).isEqualTo(300);
        assertThat(capacity.steady()).isTrue();
    }

    @Test
    void isNotSteadyWhileTheServiceStillGetsFaster() {
        assertThat(Capacity.of(List.of(200, 250, 300), 3, 0.1).steady()).isFalse();
    }

    @Test
    void isRefusedWithoutAnyAnswer() {
        assertThatThrownBy(() -> Capacity.of(List.of(0, 0), 2, 0.1))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("answers nothing");
    }
}
