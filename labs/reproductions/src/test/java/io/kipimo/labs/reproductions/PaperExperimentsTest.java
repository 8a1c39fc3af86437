package io.kipimo.labs.reproductions;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.kipimo.core.replication.ServiceTimes;
import io.kipimo.simulator.workload.Arrivals;
import io.kipimo.simulator.workload.Distribution;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The experiments that take a second; {@code kipimo reproduce} runs all. */
class PaperExperimentsTest {
    @Test
    void everyExperimentHasItsOwnId_andAnUnknownOneIsRefusedWithAllOfThem() {
        assertThat(PaperExperiments.all()).extracting(PaperExperiment::id).doesNotHaveDuplicates();
        assertThatThrownBy(() -> PaperExperiments.of("ubora-figure-7"))
                .hasMessageContaining("ubora-figure-7")
                .hasMessageContaining("zoolander-figure-9");
    }

    @Test
    void uboraFigure6_lateResultsOfBothComponentsGiveTheTruth() {
        assertThat(new UboraFigure6().run().matches()).isTrue();
    }

    @Test
    void ratingTable3_goldenRuns34DifferentExperimentsAtAHundredMillion() {
        Reproduction table = new RatingTable3().run();

        assertThat(table.findings())
                .filteredOn(f -> f.verdict() == Finding.FindingVerdict.DIFFERS)
                .extracting(Finding::what)
                .containsExactly(
                        "the same: visited, with the repeated ones",
                        "the same: repeated",
                        "table 3, rating 100,000,000: % saved at r = 2, 4, 10; % off");
        assertThat(table.findings().get(0).ours()).isEqualTo("34");
        assertThat(table.count(Finding.FindingVerdict.OURS_ALONE)).isEqualTo(7 * 3);
    }

    /** T from arrivals and departures within 5 %, 10 to 90 % busy, 1 to 8 cores. */
    @Test
    void baselineEstimator_findsTheDemandOfSharedCores() {
        for (Distribution demand :
                new Distribution[] {new Distribution.Exponential(0.01), new Distribution.LogNormal(0.01, 3)}) {
            for (int cores : new int[] {1, 2, 4, 8}) {
                for (double utilisation : new double[] {0.1, 0.5, 0.9}) {
                    SpareEstimator.SpareErrors errors = SpareEstimator.errors(demand, cores, utilisation, 3_000);

                    assertThat(errors.demand())
                            .as("%s, %d cores, %.1f busy", demand, cores, utilisation)
                            .isLessThan(0.05);
                    assertThat(errors.percentiles()).isLessThan(0.0101);
                    assertThat(errors.utilisation()).isLessThan(0.001);
                    assertThat(errors.concurrency()).isLessThan(0.05);
                }
            }
        }
    }

    @Test
    void serviceTimes_areThoseOfZoolandersWrites() {
        ServiceTimes times = DuplicateRun.times(DuplicateRun.writes());

        assertThat(times.shareAtMost(5)).isBetween(0.899, 0.901);
        assertThat(times.shareAtMost(15)).isBetween(0.989, 0.991);
        assertThat(times.shareAtMost(2 * times.meanMillis())).isBetween(0.95, 0.962);
        assertThat(times.coefficientOfVariation()).isBetween(1.5, 8.0);
    }

    @Test
    void zoolandersModel_isWithinTwoThousandthsOfTheSimulator_whereNothingWaits() {
        compareZoolandersModel(2, 50_000);
    }

    @Tag("full")
    @Test
    void zoolandersModel_isWithinTwoThousandthsOfTheSimulator_withoutDuplicatesAndWithFour() {
        compareZoolandersModel(1, 150_000);
        compareZoolandersModel(4, 150_000);
    }

    private static void compareZoolandersModel(int duplicates, int requests) {
        double[] writes = DuplicateRun.writes();
        double[] latencies = DuplicateRun.simulated(writes, duplicates, new Arrivals.Regular(0.8), requests, 3);

        assertThat(DuplicateRun.level(latencies, 5))
                .isCloseTo(DuplicateRun.formula(DuplicateRun.times(writes), 5, duplicates, 0), within(0.002));
    }
}
