package io.kipimo.cli.simulate;

import com.fasterxml.jackson.databind.JsonNode;
import io.kipimo.cli.terminal.ExitCodes;
import io.kipimo.cli.terminal.InputException;
import io.kipimo.cli.terminal.InputFile;
import io.kipimo.cli.terminal.PrintingCommand;
import io.kipimo.cli.terminal.TextTable;
import io.kipimo.schemas.document.Section;
import io.kipimo.simulator.report.CachingReport;
import io.kipimo.simulator.report.HtmlReport;
import io.kipimo.simulator.report.JsonReport;
import io.kipimo.simulator.report.NamedRun;
import io.kipimo.simulator.report.TextReport;
import io.kipimo.simulator.scenario.BuiltIn;
import io.kipimo.simulator.scenario.CachingScenario;
import io.kipimo.simulator.scenario.Scenario;
import io.kipimo.simulator.scenario.ScenarioController;
import io.kipimo.simulator.scenario.ScenarioReader;
import io.kipimo.simulator.scenario.Simulation;
import io.kipimo.simulator.scenario.Variation;
import io.kipimo.simulator.suite.ControlSuite;
import io.kipimo.simulator.suite.SuiteReport;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code kipimo simulate}: runs a service and its controllers, or clients and their caches, in virtual time. */
@Command(
        name = "simulate",
        description = {
            "Runs a model of a service in virtual time, under the product's own controllers. The "
                    + "same scenario and seed give the same result, to the last bit.",
            "",
            "A scenario is a YAML file, or one that comes with Kipimo: ubora, shedding, start, step, spare, solr, "
                    + "fanout, faults, queue; caching and purges are of caches. --print shows it, as a start for your own."
        },
        footer = {
            "  kipimo simulate ubora --controller quality,time_outs --html ubora.html",
            "  kipimo simulate spare --print > mine.yaml",
            "  kipimo simulate mine.yaml --seed 7 --json",
            "  kipimo simulate --suite control",
            "  kipimo simulate caching --vary caching.freshness.refresh_millis=1000,5000"
        })
public final class SimulateCommand extends PrintingCommand {
    @Parameters(paramLabel = "SCENARIO", arity = "0..1", description = "A YAML file, or a built-in scenario.")
    private String name;

    @Option(
            names = "--suite",
            paramLabel = "SUITE",
            description = "Run a suite of scenarios instead: ${COMPLETION-CANDIDATES}. It tells how fast admission"
                    + " and replication act, whether they let go, and what they do in vain.")
    private Suite suite;

    @Option(names = "--seeds", paramLabel = "N", description = "Runs of each scenario of a suite. Default: 3.")
    private int seeds = 3;

    /** Suites of scenarios. */
    enum Suite {
        CONTROL
    }

    @Option(
            names = "--controller",
            split = ",",
            paramLabel = "CONTROLLER",
            description = "Controllers to run and compare instead of the scenario's own: ${COMPLETION-CANDIDATES}.")
    private List<ScenarioController> controllers = List.of();

    @Option(
            names = "--vary",
            paramLabel = "KEY=VALUE,...",
            description = "Run the scenario with each value of a key, named with the keys above it, as"
                    + " service.classes[1].arrivals.rate_per_second.")
    private String vary;

    @Option(names = "--seed", paramLabel = "N", description = "Seed instead of the scenario's own.")
    private Long seed;

    @Option(names = "--html", paramLabel = "FILE", description = "Also write a page with tables and plots.")
    private Path html;

    @Option(names = "--print", description = "Print the scenario instead of running it.")
    private boolean print;

    @Override
    public Integer call() {
        InputException.throwIf(
                (name == null) == (suite == null), "a SCENARIO or --suite is needed; allowed: one of them");
        if (suite != null) {
            InputException.throwIf(seeds < 1 || seeds > 1000, "--seeds is " + seeds + "; allowed: 1 to 1000");
            List<SuiteReport.Judged> judged = SuiteReport.run(ControlSuite.cases(), seeds);
            output.print(() -> SuiteReport.tree(judged), out -> print(out, SuiteReport.rows(judged)));
            return ExitCodes.FINE;
        }
        if (print) {
            output.out().print(text());
            return ExitCodes.FINE;
        }
        InputException.throwIf(
                vary != null && !controllers.isEmpty(), "--vary and --controller are given; allowed: one of them");
        JsonNode tree = InputFile.valid(name, () -> Section.tree(text()));
        if (ScenarioReader.isOfCaches(tree)) {
            caches(tree);
        } else {
            service(tree);
        }
        return ExitCodes.FINE;
    }

    private void service(JsonNode tree) {
        Map<String, Scenario> scenarios = scenarios(tree, one -> ScenarioReader.read(one, this::beside));
        if (seed != null) {
            scenarios.replaceAll((run, scenario) -> scenario.withSeed(seed));
        }
        List<NamedRun> runs = new ArrayList<>();
        scenarios.forEach((run, scenario) -> runs.addAll(run(run, scenario)));
        output.print(() -> JsonReport.tree(runs), out -> {
            print(out, TextReport.classes(runs));
            out.println();
            print(out, TextReport.tiers(runs));
            List<List<String>> replication = TextReport.replication(runs);
            if (!replication.isEmpty()) {
                out.println();
                print(out, replication);
            }
        });
        if (html != null) {
            write(html, HtmlReport.page(scenarios.values().iterator().next(), runs));
        }
    }

    private void caches(JsonNode tree) {
        InputException.throwIf(
                !controllers.isEmpty(), "--controller is for services; " + name + " is a scenario of caches");
        Map<String, CachingScenario> scenarios = scenarios(tree, ScenarioReader::readCaching);
        if (seed != null) {
            scenarios.replaceAll((run, scenario) -> scenario.withSeed(seed));
        }
        List<CachingReport.CachingRun> runs = List.copyOf(scenarios.entrySet()).parallelStream()
                .map(e -> new CachingReport.CachingRun(
                        e.getKey(), e.getValue(), e.getValue().run()))
                .toList();
        output.print(() -> CachingReport.tree(runs), out -> {
            print(out, CachingReport.work(runs));
            out.println();
            print(out, CachingReport.staleness(runs));
        });
        if (html != null) {
            write(html, CachingReport.page(runs));
        }
    }

    /** Reads the scenario, or one scenario for each value of {@code --vary}. The key is the name of the run. */
    private <T> Map<String, T> scenarios(JsonNode tree, Function<JsonNode, T> reader) {
        Map<String, T> scenarios = new LinkedHashMap<>();
        if (vary == null) {
            scenarios.put(tree.path("name").asText(), InputFile.valid(name, () -> reader.apply(tree)));
            return scenarios;
        }
        try {
            Variation.parse(vary)
                    .of(tree)
                    .forEach((run, changed) ->
                            scenarios.put(run, InputFile.valid(name + " with " + run, () -> reader.apply(changed))));
            return scenarios;
        } catch (IllegalArgumentException e) {
            throw new InputException("--vary " + e.getMessage());
        }
    }

    private List<NamedRun> run(String run, Scenario scenario) {
        if (controllers.isEmpty()) {
            return List.of(new NamedRun(run, Simulation.run(scenario)));
        }
        InputException.throwIf(
                scenario.control().isEmpty(),
                "--controller needs a scenario that has a section 'control'; " + scenario.name() + " has none");
        List<NamedRun> runs = new ArrayList<>();
        for (ScenarioController controller : controllers) {
            Scenario under =
                    scenario.withControl(controller.in(scenario.control().get()));
            runs.add(new NamedRun(controller.name().toLowerCase(Locale.ROOT), Simulation.run(under)));
        }
        return runs;
    }

    private String text() {
        if (BuiltIn.allNames().contains(name)) {
            return BuiltIn.text(name);
        }
        InputException.throwIf(
                Files.notExists(Path.of(name)),
                name + ": no such file; allowed: a file, or one of " + String.join(", ", BuiltIn.allNames()));
        return InputFile.text(name);
    }

    /** Reads a file that the scenario names. Its path is relative to the scenario's file. */
    private String beside(String file) {
        return InputFile.text(Path.of(name).resolveSibling(file).toString());
    }

    public static void print(PrintWriter out, List<List<String>> rows) {
        TextTable table = new TextTable(rows.get(0));
        rows.subList(1, rows.size()).forEach(table::row);
        table.print(out);
    }

    public static void write(Path file, String text) {
        try {
            Files.writeString(file, text, StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new InputException("--html: " + file + " cannot be written");
        }
    }
}
