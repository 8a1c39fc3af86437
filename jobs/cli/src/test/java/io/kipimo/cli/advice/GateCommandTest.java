package io.kipimo.cli.advice;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.kipimo.cli.CommandRun;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The recorded quality is 0.875. */
class GateCommandTest {
    private static final String MIDDLE =
            Instant.ofEpochMilli(RecordedService.START + 40_000).toString();
    private static final String END =
            Instant.ofEpochMilli(RecordedService.START + 90_000).toString();
    private static final String START =
            Instant.ofEpochMilli(RecordedService.START).toString();

    @TempDir
    private Path directory;

    private RecordedService recorded;

    @BeforeEach
    void record() throws IOException {
        recorded = new RecordedService(directory, 800);
    }

    private CommandRun run(String... options) {
        List<String> arguments = new ArrayList<>(List.of("gate", "--measurements=" + recorded.measurements));
        arguments.addAll(List.of(options));
        return CommandRun.of(arguments.toArray(String[]::new));
    }

    @Test
    void passesIfTheObjectiveIsKept() {
        CommandRun run = run("--objective=0.8");
        assertThat(run.err()).isEmpty();
        assertThat(run.exitCode()).isZero();
        assertThat(run.out())
                .startsWith("PASS: shop/high, tpr@4: quality is 0.8750 (")
                .contains("800 measured, 200 lacked a component, 0 expired")
                .contains("lost by slow 100 %");
    }

    @Test
    void failsIfTheObjectiveIsMissed() {
        CommandRun run = run("--objective=0.95");
        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.out()).startsWith("FAIL: ");
    }

    @Test
    void tooLittleIsNoPass() {
        CommandRun close = run("--objective=0.875");
        assertThat(close.exitCode()).isEqualTo(3);
        assertThat(close.out()).startsWith("NOT-ENOUGH: ");
        CommandRun few = run("--objective=0.1", "--minimum-samples=801");
        assertThat(few.exitCode()).isEqualTo(3);
        assertThat(few.out()).contains("800 measured queries, wanted at least 801");
    }

    @Test
    void aTimeRangeLeavesTheRestOut() throws IOException {
        JsonNode json = new ObjectMapper()
                .readTree(run("--objective=0.5", "--from=" + MIDDLE, "--to=" + END, "--json")
                        .out());
        assertThat(json.path("verdict").textValue()).isEqualTo("PASS");
        assertThat(json.at("/evidence/samples").intValue()).isEqualTo(400);
        assertThat(json.at("/lostBy/slow").doubleValue()).isEqualTo(1);
    }

    @Test
    void aBaselineBoundsTheDrop() {
        String[] ranges = {
            "--objective=0.5",
            "--from=" + MIDDLE,
            "--baseline-from=" + START,
            "--baseline-to=" + MIDDLE,
            "--allowed-drop=0.1"
        };
        CommandRun run = run(ranges);
        assertThat(run.exitCode()).isZero();
        assertThat(run.out()).contains("it dropped by 0.0000", "baseline: 0.875 (");
        ranges[4] = "--allowed-drop=0.001";
        assertThat(run(ranges).exitCode()).isEqualTo(3);
    }

    @Test
    void aVariantIsComparedWithAnotherOne() throws IOException {
        CommandRun worse = run("--objective=0.5", "--variant=canary", "--against=stable");
        assertThat(worse.exitCode()).isEqualTo(1);
        assertThat(worse.out())
                .startsWith("FAIL: shop/high canary against stable, tpr@4: it dropped by 0.2500 (")
                .contains("400 measured, 200 lacked a component", "stable: 1.000 (");
        CommandRun better = run("--objective=0.5", "--variant=stable", "--against=canary", "--json");
        assertThat(better.exitCode()).isZero();
        JsonNode json = new ObjectMapper().readTree(better.out());
        assertThat(json.at("/evidence/variant").asText()).isEqualTo("stable");
        assertThat(json.at("/baselineEvidence/variant").asText()).isEqualTo("canary");
        assertThat(run("--objective=0.5", "--variant=nobody").exitCode()).isEqualTo(3);
    }

    @Test
    void variantsThatContradictEachOtherAreRefused() {
        assertThat(run("--objective=0.5", "--against=stable").err()).contains("--against needs --variant");
        assertThat(run("--objective=0.5", "--variant=a", "--against=a").err()).contains("allowed: two variants");
        assertThat(run("--objective=0.5", "--variant=a/b").err()).contains("a name without '/'");
        CommandRun both = run(
                "--objective=0.5", "--variant=a", "--against=b", "--baseline-from=" + START, "--baseline-to=" + MIDDLE);
        assertThat(both.exitCode()).isEqualTo(2);
        assertThat(both.err()).contains("allowed: one of them");
    }

    @Test
    void onlyMeasuredMetricsCanBeAskedFor() {
        CommandRun run = run("--objective=0.5", "--metric=ndcg@10");
        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.err().lines()).singleElement().asString().contains("allowed, as measured: tpr@4");
    }

    @Test
    void recordingsNeedAnObjective() {
        assertThat(run().exitCode()).isEqualTo(2);
        assertThat(run().err()).contains("--objective is needed");
    }
}
