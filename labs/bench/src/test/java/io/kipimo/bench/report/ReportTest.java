package io.kipimo.bench.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.kipimo.simulator.report.LinePlot;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ReportTest {
    private static final Environment BUSY = new Environment(Map.of("cores", 2), 1.5, 2);

    private static Report report() {
        Table table = new Table("Sides");
        table.row().cell("side", "this").cell("events/s", 1_234_567.8).cell("ratio", 1.0);
        table.row().cell("side", "that").cell("events/s", 10L).cell("ratio", null);
        return new Report("quality", "how fast", BUSY, new Result(List.of(table), List.of("note")));
    }

    @Test
    void textHasOneLineARowWithItsFigures() {
        List<String> lines = report().text().lines().map(String::strip).toList();
        assertThat(lines).contains("Sides", "- note", "cores: 2");
        assertThat(lines).anyMatch(line -> line.matches("this +1,234,568 +1\\.00"));
        assertThat(lines).anyMatch(line -> line.matches("that +10 +-"));
    }

    @Test
    void jsonIsWellFormedAndHasEveryFigure() throws Exception {
        JsonNode json = new ObjectMapper().readTree(Report.json(report().object()));
        assertThat(json.path("name").asText()).isEqualTo("quality");
        assertThat(json.path("environment").path("cores").asInt()).isEqualTo(2);
        assertThat(json.path("warning").asText()).contains("busy");
        JsonNode rows = json.path("tables").path(0).path("rows");
        assertThat(rows.path(0).path("events/s").asDouble()).isEqualTo(1_234_567.8);
        assertThat(rows.path(1).path("ratio").isNull()).isTrue();
    }

    @Test
    void onlyAResultWithPlotsHasAPage() {
        Table table = new Table("Sides");
        table.row().cell("side", "this").cell("quality", 0.95, 3);
        LinePlot plot = new LinePlot("over time", "s").line("a", new double[2], new double[2]);
        Report drawn = new Report("x", "y", BUSY, new Result(List.of(table), List.of(), List.of(plot)));

        assertThat(drawn.page().orElseThrow()).contains("0.950", "over time", "busy");
        assertThat(report().page()).isEmpty();
    }

    @Test
    void aRowThatDoesNotFitIsRefused() {
        Table table = new Table("Sides");
        table.row().cell("side", "this").cell("events/s", 1.0);
        assertThatThrownBy(() -> table.row().cell("side", "that").cell("ratio", 1.0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'ratio'; allowed: [side, events/s]");
        assertThatThrownBy(table::row).hasMessageContaining("lacks cells");
    }

    @Test
    void onlyABusyMachineIsWarnedOf() {
        assertThat(new Environment(Map.of(), 0.1, 2).warning()).isEmpty();
        assertThat(BUSY.warning()).isPresent();
    }

    @Test
    void theEnvironmentNamesWhatFiguresDependOn() {
        assertThat(Environment.now().facts())
                .containsKeys("cpu", "cores", "jvm", "flink", "kafka", "load average at start");
    }
}
