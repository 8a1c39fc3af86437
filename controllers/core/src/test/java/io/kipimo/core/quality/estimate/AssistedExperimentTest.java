package io.kipimo.core.quality.estimate;

import static org.assertj.core.api.Assertions.assertThat;

import io.kipimo.core.Effort;
import io.kipimo.core.quality.estimate.AssistedExperiment.Row;
import io.kipimo.core.quality.estimate.SearchServiceModel.Load;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What {@link AssistedExperiment} shows; prints its table. */
class AssistedExperimentTest {
    private static final List<Row> ROWS = new ArrayList<>();

    @BeforeAll
    static void run() {
        for (Load load : List.of(Load.MILD, Load.HEAVY)) {
            for (Row row : AssistedExperiment.run(load, Effort.of(4, 30))) {
                ROWS.add(row);
                System.out.printf(
                        Locale.ROOT,
                        "%s %.2f | stratified %s | assisted %s | %.2f%n",
                        load,
                        row.rate(),
                        row.stratified().row(),
                        row.assisted().row(),
                        row.ratio());
            }
        }
    }

    @Test
    void theErrorIsAtMostSixTenthsOfTheStratifiedOne() {
        assertThat(ROWS)
                .filteredOn(row -> row.rate() == 0.02 || row.rate() == 0.05)
                .allSatisfy(row -> assertThat(row.ratio()).isLessThanOrEqualTo(0.6));
    }

    /** 2,400 batches a row with all runs: the standard error is 0.4 %. */
    @Test
    void theIntervalCoversAsItSays() {
        assertThat(ROWS).filteredOn(row -> row.rate() >= 0.02).allSatisfy(row -> assertThat(
                        row.assisted().coverage())
                .isBetween(0.93 - Effort.slack(0.02), 0.98 + Effort.slack(0.01)));
    }

    @Test
    void aChangeOfMixLeavesNoBias() {
        assertThat(ROWS).allSatisfy(row -> assertThat(Math.abs(row.assisted().biasAfterChange()))
                .isLessThanOrEqualTo(0.01));
    }
}
