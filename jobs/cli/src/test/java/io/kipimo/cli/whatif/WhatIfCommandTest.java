package io.kipimo.cli.whatif;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.google.protobuf.util.JsonFormat;
import io.kipimo.cli.CommandRun;
import io.kipimo.cli.advice.RecordedService;
import io.kipimo.core.replication.ReplicationReason;
import io.kipimo.schemas.wire.BrokenConstraintProto;
import io.kipimo.schemas.wire.DecisionModeProto;
import io.kipimo.schemas.wire.FanOutPublicationProto;
import io.kipimo.schemas.wire.FanOutStateProto;
import io.kipimo.schemas.wire.ReplicationDecisionProto;
import io.kipimo.schemas.wire.TierFactorProto;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WhatIfCommandTest {
    @TempDir
    private Path directory;

    private RecordedService recorded;

    @BeforeEach
    void record() throws IOException {
        recorded = new RecordedService(directory, 800);
    }

    private Path policy(String more) throws IOException {
        return Files.writeString(directory.resolve("shop.yaml"), """
                service: shop
                metrics: [tpr@4]
                top_k: 4
                expiration_window_millis: 1000
                window_millis: 10000
                slide_millis: 1000
                classes:
                  - {name: high, priority: 0, objective: 0.95}
                  - {name: low, priority: 1, objective: 0, safe_fraction: 0.5}
                admission:
                  shadow: false
                  period_millis: 2000
                  batch_queries: 20
                """ + more);
    }

    private CommandRun run(String more, String... arguments) throws IOException {
        List<String> all = new ArrayList<>(List.of(
                "whatif",
                "--policy=" + policy(more),
                "--events=" + recorded.answers,
                "--events=" + recorded.partials,
                "--events=" + recorded.observations));
        all.addAll(Arrays.asList(arguments));
        return CommandRun.of(all.toArray(String[]::new));
    }

    private static JsonNode json(CommandRun run) throws IOException {
        assertThat(run.err()).isEmpty();
        return new ObjectMapper().readTree(run.out());
    }

    @Test
    void recordedAnswersAreMeasuredAndDecidedOn() throws IOException {
        CommandRun run = run("", "--json");
        JsonNode answer = json(run);

        assertThat(run.exitCode()).as("nothing was decided").isZero();
        assertThat(answer.path("answersMeasuredAnew").intValue()).isEqualTo(800);
        assertThat(answer.path("batches").intValue()).isEqualTo(40);
        assertThat(answer.at("/classes/high/now/quality").doubleValue()).isCloseTo(0.875, within(0.01));
        assertThat(answer.at("/classes/high/now/low").doubleValue())
                .as("all with a time-out were measured")
                .isEqualTo(answer.at("/classes/high/now/high").doubleValue());
        assertThat(answer.at("/classes/low/now/lastFraction").doubleValue())
                .as("quality is below its objective, and a recording does not show whether shedding helps")
                .isLessThan(0.5);
        assertThat(answer.path("notes").toString()).contains("The loop is open");
    }

    @Test
    void atALongerDeadlineQualityIsOneAndNothingIsTurnedAway() throws IOException {
        JsonNode answer = json(run("", "--deadline=50", "--json"));

        assertThat(answer.at("/classes/high/then/quality").doubleValue()).isCloseTo(0.875, within(0.01));
        assertThat(answer.at("/classes/high/now/quality").doubleValue()).isEqualTo(1);
        assertThat(answer.at("/classes/low/now/lastFraction").doubleValue()).isGreaterThan(0.5);
    }

    @Test
    void theTableShowsTheDifferenceAndWhatIsUnknown() throws IOException {
        CommandRun run = run("", "--deadline=50");

        assertThat(run.exitCode()).isZero();
        assertThat(run.out())
                .startsWith("shop, 2023-11-14T22:13:20Z to ")
                .contains("40 control batches, measured again from 800 answers")
                .containsPattern("\nhigh +790 +0\\.8\\d\\d \\(0\\..*\\) +1\\.000 \\(")
                .contains("not recorded")
                .contains("assumed 1000 ms after the end of its control batch")
                .contains("Note: Load and components are as recorded");
    }

    @Test
    void aShadowPolicyShowsWhatItWouldDoWhenItIsActive() throws IOException {
        String shadow = "  shadow: true\n";
        Path policy = Files.writeString(
                directory.resolve("shadow.yaml"), Files.readString(policy("")).replace("  shadow: false\n", shadow));
        String[] events = {
            "--events=" + recorded.answers, "--events=" + recorded.partials, "--events=" + recorded.observations
        };
        CommandRun quiet = CommandRun.of("whatif", "--policy=" + policy, events[0], events[1], events[2], "--json");
        CommandRun active =
                CommandRun.of("whatif", "--policy=" + policy, events[0], events[1], events[2], "--json", "--active");

        assertThat(json(quiet).at("/classes/low/now/moves").intValue()).isZero();
        assertThat(json(quiet).path("notes").toString()).contains("--active");
        assertThat(json(active).at("/classes/low/now/moves").intValue()).isPositive();
    }

    @Test
    void aLowerRateMeasuresFewerQueries() throws IOException {
        JsonNode half = json(run("sampling: {fixed_rate: 0.5}\n", "--json"));
        JsonNode all = json(run("sampling: {fixed_rate: 1}\n", "--json"));

        assertThat(half.path("answersMeasuredAnew").intValue()).isBetween(340, 460);
        assertThat(half.at("/classes/high/now/quality").doubleValue()).isCloseTo(0.875, within(0.03));
        assertThat(half.path("notes").toString()).doesNotContain("sampling rate");
        assertThat(all.path("notes").toString()).contains("queries that it would add are not known");
    }

    @Test
    void withoutCountsThereIsNothingToDecideOn() throws IOException {
        CommandRun run = CommandRun.of(
                "whatif", "--policy=" + policy(""), "--events=" + recorded.answers, "--events=" + recorded.partials);

        assertThat(run.exitCode()).isEqualTo(3);
        assertThat(run.out()).startsWith("NOT-ENOUGH: no control batch of class 'high'");
    }

    @Test
    void impossibleQuestionsAreRefused() throws IOException {
        assertThat(run("", "--deadline=0").err())
                .isEqualToIgnoringNewLines("kipimo: --deadline is 0; allowed: at least 1");
        assertThat(run("", "--deadline=1001").err())
                .contains("--deadline is 1001 ms; allowed: at most the expiration window of 1000");
        assertThat(run("", "--events=nowhere").err())
                .contains("--events is 'nowhere'; allowed: an existing file, or one of");
        assertThat(run("", "--since=1h", "--from=now").err()).contains("allowed: one of them");
        Path other = Files.writeString(directory.resolve("other"), "{\"wrong\":1}\n");
        CommandRun wrong = run("", "--events=" + other);
        assertThat(wrong.exitCode()).isEqualTo(2);
        assertThat(wrong.err()).contains("other:1: is no record; allowed, as kipimo tail prints them: AnswerProto");
    }

    @Test
    void aDecisionThatIsNotRecordedIsNotExplained() throws IOException {
        CommandRun none = CommandRun.of("explain", "shop/low", "--events=" + recorded.observations);

        assertThat(none.exitCode()).isEqualTo(3);
        assertThat(none.out()).isEqualToIgnoringNewLines("NOT-ENOUGH: no decision shop/low is recorded");
        assertThat(CommandRun.of("explain", "shop/low@x", "--events=" + recorded.observations)
                        .err())
                .contains("DECISION is 'shop/low@x'; allowed: SERVICE/CLASS or SERVICE");
    }

    @Test
    void whyQueriesAskFewerComponentsIsExplained() throws IOException {
        FanOutPublicationProto.Builder publication = FanOutPublicationProto.newBuilder()
                .setService("shop")
                .setQueryClass("low")
                .setVersion(2)
                .setLearnedAtMillis(1_764_000_000_000L)
                .setValidUntilMillis(4_000_000_000_000L)
                .setState(FanOutStateProto.FAN_OUT_OFF)
                .setReason("nothing to gain: saves 2 % of the work at floor 0.90")
                .setQueries(812)
                .setSaving(0.02)
                .setQuality(0.95)
                .setFloor(0.9);
        JsonFormat.Printer printer = JsonFormat.printer().omittingInsignificantWhitespace();
        Path file = directory.resolve("fan-out.jsonl");
        Files.writeString(
                file,
                printer.print(publication)
                        + "\n"
                        + printer.print(publication.clone().setVersion(1).setReason("older"))
                        + "\n");
        String policy = "--policy=" + policy("fan_out: {classes: [low], floor: 0.9}\n");

        CommandRun run = CommandRun.of("explain", "shop/low", "--fan-out", "--events=" + file, policy);
        assertThat(run.err()).isEmpty();
        assertThat(run.out().lines())
                .containsExactly(
                        "shop/low, version 2",
                        "  Learned: from 812 queries, up to 2025-11-24T16:00:00Z; at floor 0.90 the"
                                + " choices save 2.0 % of the work and keep 0.950 of the answer.",
                        "  Policy: needs 500 learned queries, predictions that promise at most 0.05"
                                + " above what choices keep (0.04 to turn on), and a saving of"
                                + " 10.0 % (12.0 % to turn on) at floor 0.90; shadow: choices are only told.",
                        "  State: OFF, nothing to gain: saves 2 % of the work at floor 0.90.",
                        "  Front ends: ask all components.");
        assertThat(json(CommandRun.of("explain", "shop/low", "--fan-out", "--events=" + file, "--json"))
                        .path("state")
                        .textValue())
                .isEqualTo("OFF");
        CommandRun none = CommandRun.of("explain", "shop/high", "--fan-out", "--events=" + file, policy);
        assertThat(none.exitCode()).isEqualTo(3);
        assertThat(none.out()).startsWith("NOT-ENOUGH: nothing is published of shop/high");
        for (String wrong : List.of("shop", "shop/low@1.2")) {
            CommandRun refused = CommandRun.of("explain", wrong, "--fan-out", "--events=" + file);
            assertThat(refused.exitCode()).isEqualTo(2);
            assertThat(refused.err()).contains("allowed with --fan-out: SERVICE/CLASS");
        }
    }

    @Test
    void whyAServiceIsNotReplicatedIsExplained() throws IOException {
        ReplicationDecisionProto.Builder decision = ReplicationDecisionProto.newBuilder()
                .setService("shop")
                .setEpoch(3)
                .setSequence(7)
                .setIssuedAtMillis(1_764_000_000_000L)
                .setValidUntilMillis(1_764_000_060_000L)
                .setMode(DecisionModeProto.HOLD)
                .setReason("SEARCH_ENDED")
                .addTiers(TierFactorProto.newBuilder()
                        .setTier("page")
                        .setFactor(1)
                        .setPrevious(1)
                        .setFallback(1))
                .addBroken(BrokenConstraintProto.newBuilder()
                        .setConstraint("EXTRA_LOAD")
                        .setTier("page")
                        .setValue(0.09)
                        .setAllowed(0.04));
        Path file = directory.resolve("replication.jsonl");
        Files.writeString(
                file, JsonFormat.printer().omittingInsignificantWhitespace().print(decision) + "\n");

        CommandRun run = CommandRun.of("explain", "shop", "--replication", "--events=" + file);
        assertThat(run.err()).isEmpty();
        assertThat(run.out().lines())
                .containsExactly(
                        "shop, 3.7: SEARCH_ENDED",
                        "  page: 1",
                        "  " + ReplicationReason.SEARCH_ENDED.sentence(),
                        "  EXTRA_LOAD of page: 0.09000, allowed 0.04000");
        CommandRun none = CommandRun.of("explain", "other", "--replication", "--events=" + file);
        assertThat(none.exitCode()).isEqualTo(3);
        assertThat(CommandRun.of("explain", "shop/low", "--replication", "--events=" + file)
                        .err())
                .contains("allowed with --replication: SERVICE");
    }
}
