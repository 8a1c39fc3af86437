package io.kipimo.harness.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

class CapacityTest {
    @Test
    void liesWhereTheDegradedSharePassesTheLimit() {
        assertThat(Capacity.of(List.of(step(100, 0), step(200, 0.03), step(300, 0.07)), 0.05))
                .extracting(Capacity::perSecond)
                .isEqualTo(250.0);
    }

    @Test
    void aSingleHiccupIsForgiven() {
        List<Capacity.Step> steps =
                List.of(
                        step(100, 0.2),
                        step(200, 0),
                        step(300, 0.05),
                        step(400, 0.9),
                        step(500, 1));

        assertThat(Capacity.of(steps, 0.05).perSecond()).isEqualTo(300);
    }

    @Test
    void isTheHighestRateIfAllAreKeptUpWith() {
        assertThat(Capacity.of(List.of(step(100, 0), step(200, 0.01)), 0.05).perSecond())
                .isEqualTo(200);
    }

    @Test
    void countsFromWhatIsDegradedWithoutLoad() {
        List<Capacity.Step> steps =
                List.of(step(100, 0.1), step(200, 0.12), step(300, 0.16), step(400, 0.9));

        assertThat(Capacity.of(steps, 0.05).perSecond()).isBetween(200.0, 300.0);
    }

    @Test
    void isRefusedWhenTheMachineIsTooBusyWithoutLoad() {
        assertThatThrownBy(() -> Capacity.of(List.of(step(100, 0.6)), 0.05))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("0.6 of the answers");
    }

    private static Capacity.Step step(double perSecond, double degradedShare) {
        return new Capacity.Step(perSecond, degradedShare, 1, 2);
    }
}
