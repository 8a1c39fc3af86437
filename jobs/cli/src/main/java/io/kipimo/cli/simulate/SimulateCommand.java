package io.kipimo.cli.simulate;

import io.kipimo.cli.terminal.ExitCodes;
import io.kipimo.cli.terminal.InputException;
import io.kipimo.cli.terminal.InputFile;
import io.kipimo.cli.terminal.OutputOption;
import io.kipimo.cli.terminal.TextTable;
import io.kipimo.simulator.report.HtmlReport;
import io.kipimo.simulator.report.JsonReport;
import io.kipimo.simulator.report.NamedRun;
import io.kipimo.simulator.report.TextReport;
import io.kipimo.simulator.scenario.BuiltIn;
import io.kipimo.simulator.scenario.Scenario;
import io.kipimo.simulator.scenario.ScenarioController;
import io.kipimo.simulator.scenario.ScenarioException;
import io.kipimo.simulator.scenario.ScenarioReader;
import io.kipimo.simulator.scenario.Simulation;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code kipimo simulate}: a service and its controllers in virtual time. */
@Command(
        name = "simulate",
        description = {
            "Runs a model of a service in virtual time, under the product's own controllers. The "
                    + "same scenario and seed give the same result, to the last bit.",
            "",
            "A scenario is a YAML file, or one that comes with Kipimo: ubora, shedding, start, spare,"
                    + " solr, fanout, faults, queue. --print shows it, as a start for your own."
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  kipimo simulate ubora --controller quality,time_outs --html ubora.html",
            "  kipimo simulate spare --print > mine.yaml",
            "  kipimo simulate mine.yaml --seed 7 --json"
        })
public final class SimulateCommand implements Callable<Integer> {
    @Parameters(paramLabel = "SCENARIO", description = "A YAML file, or a built-in scenario.")
    private String name;

    @Option(
            names = "--controller",
            split = ",",
            paramLabel = "CONTROLLER",
            description =
                    "Controllers to run and compare instead of the scenario's own: " + "${COMPLETION-CANDIDATES}.")
    private List<ScenarioController> controllers = List.of();

    @Option(names = "--seed", paramLabel = "N", description = "Seed instead of the scenario's own.")
    private Long seed;

    @Option(names = "--html", paramLabel = "FILE", description = "Also write a page with tables and plots.")
    private Path html;

    @Option(names = "--print", description = "Print the scenario instead of running it.")
    private boolean print;

    @Mixin
    private OutputOption output;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() {
        PrintWriter out = spec.commandLine().getOut();
        if (print) {
            out.print(text());
            return ExitCodes.FINE;
        }
        Scenario scenario = seed == null ? read() : read().withSeed(seed);
        List<NamedRun> runs = run(scenario);
        if (output.isDocument()) {
            output.print(out, JsonReport.tree(runs));
        } else {
            print(out, TextReport.classes(runs));
            out.println();
            print(out, TextReport.tiers(runs));
            List<List<String>> replication = TextReport.replication(runs);
            if (!replication.isEmpty()) {
                out.println();
                print(out, replication);
            }
        }
        if (html != null) {
            write(html, HtmlReport.page(scenario, runs));
        }
        return ExitCodes.FINE;
    }

    private List<NamedRun> run(Scenario scenario) {
        if (controllers.isEmpty()) {
            return List.of(new NamedRun(scenario.name(), Simulation.run(scenario)));
        }
        if (scenario.control().isEmpty()) {
            throw new InputException(
                    "--controller needs a scenario that has a section 'control'; " + scenario.name() + " has none");
        }
        List<NamedRun> runs = new ArrayList<>();
        for (ScenarioController controller : controllers) {
            Scenario under =
                    scenario.withControl(controller.in(scenario.control().get()));
            runs.add(new NamedRun(controller.name().toLowerCase(Locale.ROOT), Simulation.run(under)));
        }
        return runs;
    }

    private Scenario read() {
        try {
            return ScenarioReader.read(text(), this::beside);
        } catch (ScenarioException e) {
            throw new InputException(
                    e.problems().stream().map(p -> name + ": " + p).toList());
        }
    }

    private String text() {
        if (BuiltIn.names().contains(name)) {
            return BuiltIn.text(name);
        }
        if (Files.notExists(Path.of(name))) {
            throw new InputException(
                    name + ": no such file; allowed: a file, or one of " + String.join(", ", BuiltIn.names()));
        }
        return InputFile.text(name);
    }

    /** A file named in the scenario, relative to the scenario's file. */
    private String beside(String file) {
        return InputFile.text(Path.of(name).resolveSibling(file).toString());
    }

    static void print(PrintWriter out, List<List<String>> rows) {
        TextTable table = new TextTable(rows.get(0));
        rows.subList(1, rows.size()).forEach(table::row);
        table.print(out);
    }

    static void write(Path file, String text) {
        try {
            Files.writeString(file, text, StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new InputException("--html: " + file + " cannot be written");
        }
    }
}
