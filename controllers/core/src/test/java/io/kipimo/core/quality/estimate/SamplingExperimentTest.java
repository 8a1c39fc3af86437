package io.kipimo.core.quality.estimate;

import static org.assertj.core.api.Assertions.assertThat;

import io.kipimo.core.Effort;
import io.kipimo.core.quality.estimate.SamplingExperiment.Row;
import io.kipimo.core.quality.estimate.SamplingExperiment.Track;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Checks the results of {@link SamplingExperiment}, and prints its table. */
class SamplingExperimentTest {
    private static List<Row> rows;

    @BeforeAll
    static void run() {
        rows = SamplingExperiment.run(Effort.of(20, 200));
        System.out.print(SamplingExperiment.table(rows));
    }

    @Test
    void atTwoPercentTheStratifiedErrorIsAThirdOfThePlainAndAtMostTenPercent() {
        Row row = rows.stream().filter(r -> r.rate == 0.02).findFirst().orElseThrow();
        assertThat(row.stratified.meanError()).isLessThan(row.plain.meanError() / 3);
        assertThat(row.stratified.error95()).isLessThan(row.plain.error95() / 3).isLessThan(0.1);
    }

    @Test
    void atEveryRateTheStratifiedErrorIsSmallerThanThatOfAnyPlainMean() {
        assertThat(rows).allSatisfy(row -> assertThat(row.stratified.meanError())
                .isLessThan(row.plain.meanError() / 2)
                .isLessThan(row.plainWithHistory.meanError() / 2));
    }

    @Test
    void everyIntervalOfTheStratifiedEstimateCoversAtLeastNinetyThreePercent() {
        for (Row row : rows) {
            for (Track track : List.of(row.alone, row.stratified, row.window)) {
                assertThat(track.coverage()).isGreaterThan(0.93);
            }
        }
    }

    @Test
    void theIntervalWidensAsFewerAreSampledAndStaysUseful() {
        for (int i = 1; i < rows.size(); i++) {
            assertThat(rows.get(i).stratified.halfWidth())
                    .isGreaterThan(rows.get(i - 1).stratified.halfWidth())
                    .isLessThan(rows.get(i).plain.halfWidth() / 3);
        }
    }

    @Test
    void historyLeavesAlmostNoBatchWithoutAnEstimate() {
        assertThat(rows).allSatisfy(row -> assertThat(row.stratified.known()).isGreaterThan(0.97 - Effort.slack(0.02)));
    }
}
