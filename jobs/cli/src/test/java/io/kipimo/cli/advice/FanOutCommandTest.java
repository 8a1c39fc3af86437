package io.kipimo.cli.advice;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.google.protobuf.util.JsonFormat;
import io.kipimo.cli.CommandRun;
import io.kipimo.schemas.codec.Codecs;
import io.kipimo.schemas.quality.Completeness;
import io.kipimo.schemas.quality.ComponentShare;
import io.kipimo.schemas.quality.Measurement;
import io.kipimo.schemas.quality.Outcome;
import io.kipimo.schemas.quality.Score;
import io.kipimo.schemas.wire.FanOutPublicationProto;
import io.kipimo.schemas.wire.FanOutStateProto;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Components fast and slow each have half of every answer; slow takes six times as long. */
class FanOutCommandTest {
    @TempDir
    private Path directory;

    private RecordedService recorded;

    @BeforeEach
    void record() throws IOException {
        recorded = new RecordedService(directory, 800);
    }

    private CommandRun run(String... options) {
        List<String> arguments = new ArrayList<>(List.of("fanout", "--measurements=" + recorded.measurements));
        arguments.addAll(List.of(options));
        return CommandRun.of(arguments.toArray(String[]::new));
    }

    @Test
    void whereEveryComponentIsNeededThereIsNothingToGain() {
        CommandRun run = run();

        assertThat(run.err()).isEmpty();
        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.out())
                .contains("nothing to gain here: even a perfect choice saves only 0 %")
                .contains("without slow");
    }

    /** As behind a gateway with one engine: more queries would not change it. */
    @Test
    void whereEveryQueryAsksOneComponentThereIsNothingToGain() throws IOException {
        Path measurements = RecordedService.write(
                directory.resolve("one.jsonl"),
                Codecs.MEASUREMENT,
                List.of(Measurement.builder()
                        .service("shop")
                        .queryId("q")
                        .queryClass("high")
                        .startedAtMillis(RecordedService.START)
                        .measuredAtMillis(RecordedService.START)
                        .completeness(Completeness.COMPLETE)
                        .topK(4)
                        .scores(List.of(new Score("tpr@4", 1, 1)))
                        .components(List.of(new ComponentShare("engine", Outcome.IN_TIME, 1, false, 0, 0)))
                        .build()));
        CommandRun run = CommandRun.of("fanout", "--measurements=" + measurements);

        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.out()).contains("every query asks one component");
    }

    @Test
    void tellsWhatCanBeLeftOutAtAnObjective() throws IOException {
        CommandRun run = run("--objective=0.5");
        assertThat(run.exitCode()).isZero();
        assertThat(run.out()).contains("saves 86 % of the work at 0.500 without slow\n");

        JsonNode json =
                new ObjectMapper().readTree(run("--objective=0.5", "--json").out());
        assertThat(json.at("/verdict").textValue()).isEqualTo("FIXED");
        assertThat(json.at("/queries").intValue()).isEqualTo(800);
        assertThat(json.at("/saving").doubleValue()).isCloseTo(30.0 / 35, within(1e-9));
        assertThat(json.at("/fixed/1/leftOut/0").textValue()).isEqualTo("slow");
    }

    @Test
    void withFeaturesTheLearnedChoiceIsBetweenTheFixedAndThePerfectOne() throws IOException {
        assertThat(run().out()).doesNotContain("learned");

        CommandRun run = run("--answers=" + recorded.answers);
        assertThat(run.err()).isEmpty();
        assertThat(run.out()).contains("a learned choice for each query, on 800");

        JsonNode json = new ObjectMapper()
                .readTree(run("--answers=" + recorded.answers, "--json").out());
        assertThat(json.at("/learned/0/effort").doubleValue()).isEqualTo(1);
        assertThat(json.at("/learned/0/quality/mean").doubleValue()).isEqualTo(1);
    }

    @Test
    void whatFrontEndsChooseByIsTold() throws IOException {
        FanOutPublicationProto.Builder publication = FanOutPublicationProto.newBuilder()
                .setService("shop")
                .setQueryClass("high")
                .setVersion(2)
                .setLearnedAtMillis(1_764_000_000_000L)
                .setValidUntilMillis(1_764_000_600_000L)
                .setState(FanOutStateProto.FAN_OUT_OFF)
                .setReason("nothing to gain: saves 2 % of the work at floor 0.93")
                .setFloor(0.93);
        Path file = directory.resolve("fan-out.jsonl");
        JsonFormat.Printer printer = JsonFormat.printer().omittingInsignificantWhitespace();
        Files.writeString(
                file,
                printer.print(publication)
                        + "\n"
                        + printer.print(publication.clone().setVersion(1).setReason("older"))
                        + "\n");

        assertThat(run().out()).doesNotContain("front ends choose");
        assertThat(run("--publications=" + file).out())
                .contains("front ends choose components: OFF, nothing to gain: saves 2 % of the work"
                        + " at floor 0.93; expired at 2025-11-24T16:10:00Z\n");
        JsonNode json = new ObjectMapper()
                .readTree(run("--publications=" + file, "--json").out());
        assertThat(json.at("/publication/state").textValue()).isEqualTo("OFF");
        assertThat(json.at("/publication/expired").booleanValue()).isTrue();
        assertThat(CommandRun.of("fanout", "--publications=" + file).err())
                .contains("--publications is a file; allowed with --measurements only");
    }

    @Test
    void tooFewQueriesAreNotEnough() throws IOException {
        CommandRun other = run("--service=other");
        assertThat(other.exitCode()).isEqualTo(3);
        assertThat(other.out()).isEqualTo("NOT-ENOUGH: nothing was measured of service 'other'\n");
        recorded = new RecordedService(Files.createDirectory(directory.resolve("few")), 40);
        CommandRun few = run("--json");
        assertThat(few.exitCode()).isEqualTo(3);
        assertThat(new ObjectMapper().readTree(few.out()).path("why").textValue())
                .contains("of 40 queries; needed: 200");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--objective=1.1 | --objective is 1.1; allowed: 0..1",
                "--objective=NaN | --objective is NaN; allowed: 0..1",
                "--answers=/no/such/file | /no/such/file",
                "--since=1h | --since needs a running system",
                "--measurements=/no/such/file | /no/such/file"
            })
    void badOptionsAreRefused(String option, String problem) {
        List<String> arguments = option.startsWith("--measurements")
                ? List.of("fanout", option)
                : List.of("fanout", "--measurements=" + recorded.measurements, option);
        CommandRun run = CommandRun.of(arguments.toArray(String[]::new));

        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.err()).contains(problem);
        assertThat(run.out()).isEmpty();
    }
}
