package io.kipimo.labs.demos.admission;

import static org.assertj.core.api.Assertions.assertThat;

import io.kipimo.labs.demos.admission.RunResult.Latency;
import io.kipimo.schemas.quality.Estimate;
import io.kipimo.schemas.quality.MeasurementBill;
import java.util.List;
import org.junit.jupiter.api.Test;

class DemoReportTest {
    private static RunResult run(WayOfControl way, double low, double quality, double high, double good) {
        Latency latency = new Latency(5, 30, 1_000, 0);
        return new RunResult(
                way,
                new Estimate(low, quality, high),
                0.7,
                60,
                300,
                0.5,
                good,
                0.05,
                0.1,
                latency,
                latency,
                8,
                MeasurementBill.NOTHING,
                0.02,
                500,
                10,
                1,
                List.of(
                        new RunResult.RunSecond(0, quality, low, high, 300, 150, 0.5),
                        new RunResult.RunSecond(1, quality, low, high, 300, 160, 0.5)));
    }

    private static DemoSummary summary(RunResult... runs) {
        return new DemoSummary("A service.", "A machine.", 0.9, List.of(runs), List.of("A note."));
    }

    @Test
    void theComparisonThatMattersComesFirstAndEveryFigureSaysWhatItMeans() {
        DemoSummary summary = summary(
                run(WayOfControl.TIME_OUT_GUIDED, 0.94, 0.95, 0.96, 98),
                run(WayOfControl.COSTLIEST_FIRST, 0.94, 0.952, 0.96, 195));

        assertThat(summary.verdict().get(0)).contains("195 good answers", "2.0 times as many");
        assertThat(DemoTable.rows(summary)).hasSize(17).allSatisfy(row -> assertThat(row.get(row.size() - 1))
                .isNotBlank());
        String page = new DemoReport(summary).html();
        assertThat(page.indexOf("good answers a second of the low class"))
                .isPositive()
                .isLessThan(page.indexOf("low-class queries admitted a second"));
        assertThat(DemoTable.text(summary)).containsPattern("good low answers/s +98 +195 +answers of the low class");
    }

    @Test
    void controlThatGainedNothingSaysSo() {
        assertThat(summary(
                                run(WayOfControl.QUALITY_GUIDED, 0.88, 0.90, 0.92, 50),
                                run(WayOfControl.FULL_SHARING, 0.87, 0.89, 0.91, 90))
                        .verdict()
                        .get(0))
                .startsWith("Control gained nothing that shows here");
        assertThat(summary(
                                run(WayOfControl.QUALITY_GUIDED, 0.93, 0.94, 0.95, 50),
                                run(WayOfControl.FULL_SHARING, 0.80, 0.83, 0.86, 90))
                        .verdict()
                        .get(0))
                .startsWith("Control kept quality up");
    }
}
