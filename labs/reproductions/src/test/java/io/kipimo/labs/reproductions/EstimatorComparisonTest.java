package io.kipimo.labs.reproductions;

import static org.assertj.core.api.Assertions.assertThat;

import io.kipimo.labs.reproductions.EstimatorComparison.EstimatorErrors;
import io.kipimo.labs.reproductions.EstimatorComparison.LowLoad;
import io.kipimo.simulator.control.ControlSpec.ControlEstimator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The windows of the product on simulated traffic; one trace, so that it takes seconds. {@code kipimo reproduce
 * ubora-table-2} prints the table of more.
 */
@Tag("full")
class EstimatorComparisonTest {
    private static final double RATE = 0.05;
    private static final long SEED = 401;

    @Test
    void withCountsOfMissingComponentsTheErrorIsAtMostSixTenths() {
        compare(LowLoad.MILD);
    }

    @Test
    void soItIsUnderHeavyLoad() {
        compare(LowLoad.HEAVY);
    }

    private static void compare(LowLoad load) {
        EstimatorErrors assisted = EstimatorComparison.run(load, RATE, ControlEstimator.ASSISTED, SEED);
        EstimatorErrors stratified = EstimatorComparison.run(load, RATE, ControlEstimator.STRATIFIED, SEED);
        System.out.printf("%s: %s, stratified %s%n", load, assisted, stratified);

        assertThat(assisted.rootMeanSquare()).isLessThanOrEqualTo(0.6 * stratified.rootMeanSquare());
        // Batches of a trace share what was learned, so one trace tells coverage roughly.
        assertThat(assisted.coverage()).isGreaterThan(0.88);
    }
}
