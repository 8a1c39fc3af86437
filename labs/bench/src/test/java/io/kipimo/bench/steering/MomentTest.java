package io.kipimo.bench.steering;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class MomentTest {
    private static final Moment STEP_UP = SteeringSettings.read().moments().get(0);

    private static double[] slices(int... countsAndPercents) {
        double[] slices = new double[30];
        int at = 0;
        for (int i = 0; i < countsAndPercents.length; i += 2) {
            for (int k = 0; k < countsAndPercents[i]; k++) {
                slices[at++] = countsAndPercents[i + 1] / 100.0;
            }
        }
        return slices;
    }

    @Test
    void theReturnIsTheFirstTwoSlicesThatKeepTheObjectiveAfterTheChange() {
        assertThat(STEP_UP.slicesToReturn(slices(10, 100, 3, 50, 17, 95), 0.95)).isEqualTo(3);
        assertThat(STEP_UP.slicesToReturn(slices(10, 100, 10, 90, 10, 100), 0.95))
                .isInfinite();
    }

    @Test
    void openIsNineTenthsOfTheLastPhasesLoad() {
        double capacity = 1 / STEP_UP.lowLoads().get(2);
        assertThat(STEP_UP.slicesToOpen(slices(20, 100, 4, 40, 6, 90), capacity))
                .isEqualTo(4);
        assertThat(STEP_UP.slicesToOpen(slices(20, 100, 10, 80), capacity)).isInfinite();
    }
}
