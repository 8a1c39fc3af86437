package io.kipimo.cli.advice;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.kipimo.cli.CommandRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DeadlineCommandTest {
    @TempDir
    private Path directory;

    private RecordedService recorded;

    @BeforeEach
    void record() throws IOException {
        recorded = new RecordedService(directory, 800);
    }

    private CommandRun run(String... options) {
        List<String> arguments = new ArrayList<>(
                List.of("deadline", "--answers=" + recorded.answers, "--partials=" + recorded.partials));
        arguments.addAll(List.of(options));
        return CommandRun.of(arguments.toArray(String[]::new));
    }

    private static JsonNode json(CommandRun run) throws IOException {
        return new ObjectMapper().readTree(run.out());
    }

    @Test
    void theCurveHasTheQualityAtOtherDeadlines() throws IOException {
        CommandRun run = run("--metric=tpr@4", "--json");

        assertThat(run.err()).isEmpty();
        assertThat(run.exitCode()).isZero();
        JsonNode curve = json(run).path("curve");
        assertThat(curve.path("profiles").intValue()).isEqualTo(800);
        assertThat(curve.path("degradedProfiles").intValue()).isEqualTo(200);
        assertThat(curve.path("deadlineMillis").doubleValue()).isEqualTo(30);
        for (JsonNode point : curve.path("points")) {
            double deadline = point.path("deadlineMillis").doubleValue();
            double quality = deadline < 5 ? 0 : deadline < 20 ? 0.5 : deadline < 45 ? 0.875 : 1;
            assertThat(point.at("/quality/mean").doubleValue())
                    .as("at " + deadline)
                    .isCloseTo(quality, within(1e-9));
            assertThat(point.at("/quality/low").doubleValue()).isLessThanOrEqualTo(quality);
        }
    }

    @Test
    void theShortestDeadlineThatKeepsAnObjectiveIsPrinted() {
        CommandRun run = run("--metric=tpr@4", "--objective=0.8");
        assertThat(run.exitCode()).isZero();
        assertThat(run.out())
                .startsWith("shop/high, tpr@4, from 800 queries of which 200 lacked a component")
                .containsPattern("deadline +quality +95 % interval +complete +0\\.0 +1\\.0")
                .containsPattern("\n30 ms +0\\.875 .* 75 % .*o")
                .contains("shortest deadline that keeps 0.800: 2");
    }

    @Test
    void anObjectiveThatOnlyLongerDeadlinesKeepIsANo() {
        CommandRun no = run("--metric=tpr@4", "--objective=0.95", "--at-most-millis=40");
        assertThat(no.exitCode()).isEqualTo(1);
        assertThat(no.out()).contains("no deadline up to 40 ms keeps 0.950");
        assertThat(run("--metric=tpr@4", "--objective=0.95", "--at-most-millis=60")
                        .exitCode())
                .isZero();
    }

    @Test
    void anOpenIntervalIsNotEnough() {
        CommandRun open = run("--metric=tpr@4", "--objective=0.875", "--at-most-millis=40");
        assertThat(open.exitCode()).isEqualTo(3);
        assertThat(open.out()).contains("NOT-ENOUGH: ");
    }

    @Test
    void componentsAreShownWithWhatTheirLatenessCosts() throws IOException {
        CommandRun table = run("--metric=tpr@4", "--components");
        assertThat(table.out()).containsPattern("\nslow +800 +25 % +0\\.125 ");
        JsonNode slow = json(run("--metric=tpr@4", "--json")).at("/curve/components/1");
        assertThat(slow.path("component").textValue()).isEqualTo("slow");
        assertThat(slow.path("qualityIfDropped").doubleValue()).isCloseTo(0.5, within(1e-9));
    }

    @Test
    void aPolicyGivesMergeAndObjective() throws IOException {
        Path policy = Files.writeString(directory.resolve("shop.yaml"), """
                        service: shop
                        metrics: [tpr@4]
                        expiration_window_millis: 1000
                        classes:
                          - {name: high, priority: 0, objective: 0.8}
                        """);
        CommandRun run = run("--policy=" + policy);
        assertThat(run.exitCode()).isZero();
        assertThat(run.out()).contains("keeps 0.800");
    }

    @Test
    void resultsAfterTheWindowDoNotCount() throws IOException {
        JsonNode curve = json(run("--metric=tpr@4", "--json", "--expiration-window=1s"));
        assertThat(curve.at("/curve/points"))
                .allMatch(p -> p.path("deadlineMillis").doubleValue() <= 1_000);
    }

    @Test
    void aClassThatWasNotRecordedIsNotEnough() {
        CommandRun run = run("--metric=tpr@4", "--class=low");
        assertThat(run.exitCode()).isEqualTo(3);
        assertThat(run.out())
                .isEqualToIgnoringNewLines("NOT-ENOUGH: no answer of any service, class 'low' is recorded");
    }

    @Test
    void withoutPartialResultsTooLittleIsKnown() throws IOException {
        Files.writeString(recorded.partials, "");
        CommandRun run = run("--metric=tpr@4", "--objective=0.9");
        assertThat(run.exitCode()).isEqualTo(3);
        assertThat(run.out()).contains("from 200 queries of which 200");
    }
}
