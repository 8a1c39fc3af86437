package io.kipimo.embedded.flink;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class MetricsPageTest {
    private final MetricsPage page = new MetricsPage("""
                    # HELP rows what came out
                    # TYPE rows gauge
                    rows{job_id="a",subtask="0",} 3.0
                    rows{job_id="a",subtask="1",} 4.5
                    rows{job_id="b",subtask="0",} 1.0E2
                    rows_late{job_id="a",} 7.0
                    up 1
                    """);

    @Test
    void allSeriesOfAMetricAreAddedUpAndNoOthers() {
        assertThat(page.sum("rows")).isEqualTo(107.5);
        assertThat(page.sum("up")).isEqualTo(1);
        assertThat(page.sum("row")).isZero();
    }

    @Test
    void aLabelChoosesAmongThem() {
        assertThat(page.sum("rows", "job_id=\"a\"")).isEqualTo(7.5);
        assertThat(page.sum("rows", "job_id=\"c\"")).isZero();
    }

    @Test
    void whatIsNotThereIsNotZero() {
        assertThat(page.first("rows")).hasValue(3);
        assertThat(page.first("columns")).isEmpty();
    }
}
