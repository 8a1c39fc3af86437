package io.kipimo.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.kipimo.core.Effort;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.OptionSpec;

/** No number of an option makes a command hang or show its inside. Commands from picocli's model. */
class NumericOptionsTest {
    private static final long SEED = 20_261_126;

    /** Of each list, for each option; other options get others. */
    private static final int VALUES = Effort.of(1, 5);

    private static final Pattern INTERNAL =
            Pattern.compile("[A-Z]\\w*(Exception|Error)\\b|\\tat |failed unexpectedly|Java heap space");
    private static final Set<Class<?>> NUMBERS =
            Set.of(int.class, Integer.class, long.class, Long.class, double.class, Double.class);

    /** What no option takes. */
    private static final List<String> NEVER = List.of(
            "",
            " ",
            "0x10",
            "0x1p3",
            "１２",
            "١٢",
            "5d",
            "5L",
            "1_000",
            "1,5",
            "--5",
            "99999999999999999999",
            "1e400",
            "-1e308",
            "NaN",
            "Infinity",
            "-Infinity",
            "NaNd",
            "1e999999999",
            "9".repeat(5_000));

    /** What some options take. */
    private static final List<String> PERHAPS =
            List.of("-0", "0", "-1", "1e308", "4.9e-324", "2147483647", "-2147483648", "1e-9");

    /** Commands that compute and contact nobody: they run with every value. */
    private static final Map<String, String> OFFLINE = new LinkedHashMap<>();

    /** Commands that contact others or wait: they run with values that none takes. */
    private static final Map<String, String> ONLINE = new LinkedHashMap<>();

    static {
        OFFLINE.put("predict", "--samples @samples --tau 5 --duplicates 2");
        OFFLINE.put("plan", "--samples @samples --tau 5 --service-level 0.9 --arrival-rate 5 --max-servers 10");
        OFFLINE.put("collision", "--servers 6,8 --factors 2,2");
        OFFLINE.put("gate", "--measurements @none --class high --objective 0.9");
        OFFLINE.put("rate", "--model quadratic --rating 1000");
        OFFLINE.put("whatif", "--events @none --policy @none");
        OFFLINE.put("deadline", "--answers @none --partials @none --class high --metric tpr@10");
        OFFLINE.put("profile", "--config @none --queries @none --per-second 5");
        ONLINE.put("loadgen", "--name a --target x=http://127.0.0.1:1/");
        ONLINE.put("simulate", "spare");
        ONLINE.put("worst", "--service shop --class high");
        ONLINE.put("fanout", "--service shop --class low");
        ONLINE.put("topics", "");
        ONLINE.put("tail", "answers");
        ONLINE.put("export quality", "--service shop --trec @runs");
        ONLINE.put("conform", "");
        ONLINE.put("override factors", "shop 2 1 --for 30m --by ada --reason drill");
        ONLINE.put("override set", "shop low 0.5 --for 30m --by ada --reason drill");
        ONLINE.put("purge", "--cache http://127.0.0.1:1");
        ONLINE.put("filter serve", "--redis 127.0.0.1:1 --table a/b");
        ONLINE.put("changes", "");
        ONLINE.put("cache-truth", "--table a/b --origin http://127.0.0.1:1");
        ONLINE.put("haproxy", "--service shop --class a:0.1:0.5 --socket @none");
        ONLINE.put("duplicate", "--redis 127.0.0.1:1");
        ONLINE.put("console", "");
        ONLINE.put("submit", "quality --rest http://127.0.0.1:1");
    }

    @TempDir
    private static Path files;

    @BeforeAll
    static void write() throws IOException {
        Files.writeString(files.resolve("samples"), "1\n2\n3\n4\n9\n");
    }

    private static Map<String, CommandLine> commands() {
        Map<String, CommandLine> found = new LinkedHashMap<>();
        walk(Main.commandLine(), "", found);
        return found;
    }

    private static void walk(CommandLine command, String path, Map<String, CommandLine> into) {
        into.put(path.strip(), command);
        command.getSubcommands().forEach((name, sub) -> walk(sub, path + ' ' + name, into));
    }

    private static List<ArgSpec> numbers(CommandLine command) {
        return command.getCommandSpec().args().stream()
                .filter(a ->
                        Arrays.stream(a.auxiliaryTypes()).anyMatch(NUMBERS::contains) || NUMBERS.contains(a.type()))
                .toList();
    }

    @Test
    void everyCommandWithNumbersIsInThisTest() {
        Set<String> with = new HashSet<>();
        commands().forEach((name, command) -> {
            if (!numbers(command).isEmpty()) {
                with.add(name);
            }
        });
        Set<String> known = new HashSet<>(OFFLINE.keySet());
        known.addAll(ONLINE.keySet());
        assertThat(known).isEqualTo(with);
    }

    @Test
    void aNumberThatNoOptionTakesIsRefusedInOneLine() throws Exception {
        Map<String, String> all = new LinkedHashMap<>(OFFLINE);
        all.putAll(ONLINE);
        check(all, NEVER, true);
    }

    @Test
    void aNumberAtTheEdgeIsComputedOrRefused() throws Exception {
        check(OFFLINE, PERHAPS, false);
    }

    private static void check(Map<String, String> bases, List<String> values, boolean isRefused) throws Exception {
        Map<String, CommandLine> commands = commands();
        List<String> problems = new ArrayList<>();
        Random random = new Random(SEED);
        for (Map.Entry<String, String> base : bases.entrySet()) {
            for (ArgSpec number : numbers(commands.get(base.getKey()))) {
                List<String> some = new ArrayList<>(values);
                if (isDouble(number)) {
                    // Large, but a number.
                    some.remove("99999999999999999999");
                }
                Collections.shuffle(some, random);
                for (String value : some.subList(0, VALUES)) {
                    problem(base.getKey(), base.getValue(), number, value, isRefused)
                            .ifPresent(problems::add);
                }
            }
        }
        assertThat(problems).isEmpty();
    }

    private static Optional<String> problem(
            String command, String base, ArgSpec number, String value, boolean isRefused) throws Exception {
        List<String> words = new ArrayList<>(List.of(command.split(" ")));
        List<String> given = new ArrayList<>(List.of(base.split(" ")));
        given.removeIf(String::isEmpty);
        String name = "";
        if (number instanceof OptionSpec option) {
            name = option.longestName();
            int at = given.indexOf(name);
            if (at >= 0) {
                given.remove(at + 1);
                given.remove(at);
            }
            given.add(name + '=' + value);
        } else {
            int at = number.paramLabel().equals("FRACTION") ? 2 : 1;
            given.set(at, value);
        }
        given.replaceAll(w -> w.startsWith("@") ? files.resolve(w.substring(1)).toString() : w);
        words.addAll(given);
        String what = command + ' ' + name + " '" + (value.length() > 50 ? "9…" : value) + '\'';
        CommandRun run;
        try {
            run = CompletableFuture.supplyAsync(() -> CommandRun.of(words.toArray(String[]::new)))
                    .get(Duration.ofMinutes(5).toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            return Optional.of(what + " goes on");
        }
        if (INTERNAL.matcher(run.err() + run.out()).find()) {
            return Optional.of(what + " shows its inside: " + beginning(run.err()));
        }
        if (!isRefused) {
            return Optional.empty();
        }
        if (run.exitCode() != 2 || run.err().lines().count() != 1) {
            return Optional.of(what + " is not refused: " + run.exitCode() + ' ' + beginning(run.err()));
        }
        String told = run.err().replace('-', ' ').toLowerCase(Locale.ROOT);
        String word = name.isEmpty() ? "" : name.substring(2).split("-")[0].replaceFirst("s$", "");
        boolean isNamed = told.contains(word) || (isDouble(number) && run.err().contains(asDouble(value)));
        return run.err().contains("allowed") && isNamed
                ? Optional.empty()
                : Optional.of(what + " is not named: " + beginning(run.err()));
    }

    private static boolean isDouble(ArgSpec number) {
        return Stream.of(number.type(), number.auxiliaryTypes()[0])
                .anyMatch(type -> type == double.class || type == Double.class);
    }

    private static String asDouble(String value) {
        try {
            return String.valueOf(Double.parseDouble(value));
        } catch (NumberFormatException e) {
            return value;
        }
    }

    private static String beginning(String text) {
        return text.substring(0, Math.min(300, text.length()));
    }
}
