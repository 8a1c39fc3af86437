package io.kipimo.cli.replication;

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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReplicationCommandsTest {
    private static final String TEN = "# ms\n1\n2\n3\n4\n5\n\n6\n7\n8\n9\n10\n";

    @TempDir
    private Path directory;

    private String file(String name, String text) throws IOException {
        return Files.writeString(directory.resolve(name), text).toString();
    }

    private static JsonNode json(CommandRun run) throws IOException {
        assertThat(run.err()).isEmpty();
        return new ObjectMapper().readTree(run.out());
    }

    @Test
    void predictsByTheModelWithoutQueues() throws IOException {
        CommandRun run = predict("--tau", "9", "--duplicates", "3", "--json");
        assertThat(run.exitCode()).isZero();
        JsonNode tree = json(run);
        assertThat(tree.at("/service_level").doubleValue()).isCloseTo(0.999, within(1e-12));
        assertThat(tree.at("/effective_tau_ms").doubleValue()).isEqualTo(9);
        assertThat(tree.at("/utilization").doubleValue()).isZero();
        assertThat(tree.at("/model").textValue()).isEqualTo("formula");
        assertThat(tree.at("/warnings").size()).isZero();
    }

    /** Mean 5.5 ms, Cv^2 = 8.25 / 30.25; 100 of 200 requests a second: rho = 0.55. */
    @Test
    void theFormulaRemains_andWarnsBeyondItsRange() throws IOException {
        CommandRun run = predict(
                "--tau",
                "9",
                "--duplicates",
                "2",
                "--replicas",
                "2",
                "--arrival-rate",
                "200",
                "--network-ms",
                "0.5",
                "--model",
                "formula",
                "--json");
        assertThat(run.err().lines())
                .singleElement()
                .asString()
                .contains("formula may be off by up to 0.55", "--model simulation");
        JsonNode tree = new ObjectMapper().readTree(run.out());
        double waiting = (1 + 8.25 / 30.25) / 2 * 0.55 / 0.45 * 5.5;
        assertThat(tree.at("/effective_tau_ms").doubleValue()).isCloseTo(8.5 - waiting, within(1e-9));
        assertThat(tree.at("/utilization").doubleValue()).isCloseTo(0.55, within(1e-12));
        assertThat(tree.at("/service_level").doubleValue()).isCloseTo(0.64, within(1e-12));
        assertThat(tree.at("/warnings").size()).isEqualTo(1);
    }

    /** M/D/1 at 50 %: P(W = 0) = 0.5, and P(W <= 5) = 0.5 e^0.25; duplicates wait alike. */
    @Test
    void predictsBySimulationWhenArrivalsAreGiven() throws IOException {
        String constant = file("constant.txt", "10\n");
        for (String duplicates : new String[] {"1", "8"}) {
            JsonNode tree = json(CommandRun.of(
                    "predict",
                    "--samples",
                    constant,
                    "--tau",
                    "15",
                    "--duplicates",
                    duplicates,
                    "--arrival-rate",
                    "50",
                    "--json"));
            assertThat(tree.at("/model").textValue()).isEqualTo("simulation");
            assertThat(tree.at("/service_level").doubleValue()).isCloseTo(0.5 * Math.exp(0.25), within(0.01));
            assertThat(tree.at("/service_level_half_width").doubleValue()).isBetween(0.0001, 0.01);
        }
    }

    /** With stalls of all duplicates at once, the levels of one and of many are alike. */
    @Test
    void stallsAndBatchesNeedArrivals() throws IOException {
        String[] stalls = {"--stall-every", "90", "--stall-length", "10", "--stall-shared", "1"};
        List<String> all = new ArrayList<>(List.of("--tau", "30", "--duplicates", "8", "--json"));
        all.addAll(List.of(stalls));
        assertThat(predict(all.toArray(String[]::new)).err())
                .contains("--stall-every needs --model simulation and an --arrival-rate above 0");
        all.addAll(List.of("--arrival-rate", "1"));
        // P(stalled) = 0.1; one that is lasts for more than 29 ms more in e^-2.9 of the cases.
        assertThat(json(predict(all.toArray(String[]::new)))
                        .at("/service_level")
                        .doubleValue())
                .isCloseTo(1 - 0.1 * Math.exp(-2.8), within(0.004));
        assertThat(predict(
                                "--tau",
                                "9",
                                "--duplicates",
                                "2",
                                "--batch",
                                "2",
                                "--model",
                                "formula",
                                "--arrival-rate",
                                "5")
                        .err())
                .contains("--batch needs --model simulation");
        assertThat(predict("--tau", "9", "--duplicates", "2", "--stall-every", "5")
                        .err())
                .contains("allowed: both or none");
        assertThat(predict("--tau", "9", "--duplicates", "1001", "--arrival-rate", "5")
                        .err())
                .contains("--duplicates is 1001; allowed: at most 1000");
    }

    /** Runs of 20 slow requests, and a cold server's first request: neither hides the other. */
    @Test
    void oneSampleThatTurnsTheResultIsNamed_andHidesNoRuns() throws IOException {
        StringBuilder times = new StringBuilder("3000\n");
        for (int i = 1; i < 4_000; i++) {
            times.append(i % 200 < 20 ? 30 : 1 + i % 7 / 10.0).append('\n');
        }
        String file = file("cold.txt", times.toString());
        CommandRun run = CommandRun.of(
                "predict", "--samples", file, "--tau", "5", "--duplicates", "2", "--arrival-rate", "70", "--json");
        assertThat(run.exitCode()).isZero();
        assertThat(run.err()).contains("one sample of 3000 ms", "slow samples come in runs");
        assertThat(CommandRun.of(
                                "predict",
                                "--samples",
                                file,
                                "--tau",
                                "5",
                                "--duplicates",
                                "2",
                                "--arrival-rate",
                                "70",
                                "--model",
                                "formula")
                        .err())
                .contains("which the formula does not know");
    }

    @Test
    void overloadMeetsNothingAndHasNoEffectiveTau() throws IOException {
        JsonNode tree = json(predict("--tau", "9", "--duplicates", "2", "--arrival-rate", "200", "--json"));
        assertThat(tree.at("/service_level").doubleValue()).isZero();
        assertThat(tree.at("/effective_tau_ms").isNull()).isTrue();
        assertThat(tree.at("/utilization").doubleValue()).isCloseTo(1.1, within(1e-12));
        assertThat(predict("--tau", "9", "--duplicates", "2", "--arrival-rate", "200")
                        .out())
                .contains("overloaded");
    }

    @Test
    void duplicatesMayDiffer() throws IOException {
        CommandRun run =
                predict("--samples", file("other.txt", "1\n1\n20\n20\n"), "--tau", "9", "--duplicates", "2", "--json");
        JsonNode tree = json(run);
        assertThat(tree.at("/service_level").doubleValue()).isCloseTo(0.95, within(1e-12));
        assertThat(tree.at("/per_duplicate").size()).isEqualTo(2);
        assertThat(tree.at("/per_duplicate/1/share_in_time").doubleValue()).isEqualTo(0.5);
    }

    @Test
    void plansTheFewestServersAndShowsTheOtherMixes() throws IOException {
        CommandRun run = plan("--tau", "9", "--service-level", "0.9", "--json");
        assertThat(run.exitCode()).isZero();
        JsonNode tree = json(run);
        assertThat(tree.at("/servers").intValue())
                .isEqualTo(
                        tree.at("/replicas").intValue() * tree.at("/duplicates").intValue());
        assertThat(tree.at("/service_level").doubleValue()).isGreaterThanOrEqualTo(0.9);
        assertThat(tree.at("/other_mixes").size()).isPositive();
        assertThat(plan("--tau", "9", "--service-level", "0.9").out()).contains("chosen", "replicas");
    }

    @Test
    void aLevelThatNothingReachesIsExitCode1() throws IOException {
        CommandRun run = plan("--tau", "0.5", "--service-level", "0.5", "--json");
        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(json(run).at("/servers").isNull()).isTrue();
        assertThat(plan("--tau", "0.5", "--service-level", "0.5").out()).contains("not with 20");
    }

    @Test
    void collisionOfThePapersTwoTiers() throws IOException {
        CommandRun run = CommandRun.of("collision", "--servers", "6,8", "--factors", "2,2", "--json");
        assertThat(run.exitCode()).isZero();
        assertThat(json(run).at("/collision_probability").doubleValue()).isCloseTo(13.0 / 28, within(1e-12));
        assertThat(CommandRun.of("collision", "--servers", "6,3", "--factors", "2,2", "--json")
                        .out())
                .contains("1.0");
        assertThat(CommandRun.of("collision", "--servers", "6,8", "--factors", "1,8", "--json")
                        .out())
                .contains(": 0.0");
        assertThat(CommandRun.of("collision", "--servers", "6,8", "--factors", "2,2")
                        .out())
                .contains("0.464286");
    }

    @Test
    void badSamplesNameFileLineAndWhatIsAllowed() throws IOException {
        for (String bad : new String[] {"x", "-1", "NaN", "1e999", "1 2"}) {
            String file = file("bad.txt", "1\n" + bad + "\n");
            CommandRun run = CommandRun.of("predict", "--samples", file, "--tau", "5", "--duplicates", "2");
            assertThat(run.exitCode()).isEqualTo(2);
            assertThat(run.out()).isEmpty();
            assertThat(run.err().lines()).singleElement().asString().contains("bad.txt:2: '" + bad);
        }
        assertThat(CommandRun.of(
                                "predict",
                                "--samples",
                                file("none.txt", "# nothing\n"),
                                "--tau",
                                "5",
                                "--duplicates",
                                "2")
                        .err())
                .contains("has no service time");
    }

    @Test
    void optionsOutOfRangeAreRefusedWithWhatIsAllowed() throws IOException {
        assertThat(predict("--tau", "5", "--duplicates", "0").err()).contains("--duplicates is 0; allowed: >= 1");
        assertThat(plan("--tau", "5", "--service-level", "99.9").err())
                .contains("--service-level is 99.9; allowed: 0..1");
        assertThat(CommandRun.of("collision", "--servers", "6", "--factors", "1,2")
                        .err())
                .contains("--servers has 1 tiers, --factors 2");
    }

    private CommandRun predict(String... options) throws IOException {
        return run(options, "predict", "--samples", file("ten.txt", TEN));
    }

    private CommandRun plan(String... options) throws IOException {
        return run(options, "plan", "--samples", file("ten.txt", TEN), "--arrival-rate", "300", "--max-servers", "20");
    }

    private static CommandRun run(String[] options, String... first) {
        String[] all = new String[first.length + options.length];
        System.arraycopy(first, 0, all, 0, first.length);
        System.arraycopy(options, 0, all, first.length, options.length);
        return CommandRun.of(all);
    }

    /** Every second request comes with the one before it, and waits 10 ms for it. */
    @Test
    void recordedArrivalsReplacePoissons() throws IOException {
        StringBuilder log = new StringBuilder("# seconds,request\n");
        for (int i = 0; i < 1_000; i++) {
            log.append(1_700_000_000 + Math.floorDiv(i, 2) / 20.0).append(",/item\n");
        }
        String arrivals = file("arrivals.csv", log.toString());
        String times = file("ten.txt", "10\n");
        CommandRun run = CommandRun.of(
                "predict", "--samples", times, "--tau", "15", "--duplicates", "1", "--arrivals", arrivals, "--json");

        assertThat(run.exitCode()).isZero();
        assertThat(json(run).at("/service_level").doubleValue()).isCloseTo(0.5, within(0.01));
        assertThat(json(run).at("/utilization").doubleValue()).isCloseTo(0.4, within(0.01));
        CommandRun plan = CommandRun.of(
                "plan",
                "--samples",
                times,
                "--tau",
                "15",
                "--service-level",
                "0.9",
                "--max-servers",
                "4",
                "--arrivals",
                arrivals,
                "--json");
        assertThat(json(plan).at("/replicas").intValue()).isEqualTo(2);
    }

    @Test
    void arrivalsThatCannotBeReadAreOneLine() throws IOException {
        String good = file("good.csv", "1\n2\n");
        for (String[] bad : new String[][] {
            {file("a.csv", "1\nx,/item\n"), ":2: 'x,/item' is no arrival"},
            {file("b.csv", "1\n"), "allowed: two different times"},
            {file("c.csv", "NaN\n"), "is no arrival"},
            {file("d.csv", "1,a\tb\n2\n"), "is no arrival"},
            {file("e.csv", "# nothing\n"), "allowed: two different times"},
            {directory.resolve("none").toString(), "no such file"}
        }) {
            CommandRun run = predict("--tau", "9", "--duplicates", "1", "--arrivals", bad[0]);
            assertThat(run.exitCode()).isEqualTo(2);
            assertThat(run.err().lines()).singleElement().asString().contains(bad[1]);
        }
        assertThat(predict("--tau", "9", "--duplicates", "1", "--arrivals", good, "--batch", "2")
                        .err())
                .contains("--arrivals is given; allowed: with --model simulation");
        assertThat(CommandRun.of(
                                "plan", "--samples", good, "--tau", "9", "--service-level", "0.9", "--max-servers", "4")
                        .err())
                .contains("--arrival-rate is missing");
    }
}
