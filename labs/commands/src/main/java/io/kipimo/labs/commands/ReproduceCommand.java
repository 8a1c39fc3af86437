package io.kipimo.labs.commands;

import io.kipimo.cli.simulate.SimulateCommand;
import io.kipimo.cli.terminal.ExitCodes;
import io.kipimo.cli.terminal.PrintingCommand;
import io.kipimo.labs.reproductions.Finding;
import io.kipimo.labs.reproductions.PaperExperiment;
import io.kipimo.labs.reproductions.PaperExperiments;
import io.kipimo.labs.reproductions.Reproduction;
import io.kipimo.schemas.document.JsonObject;
import io.kipimo.simulator.report.Html;
import io.kipimo.simulator.report.HtmlReport;
import io.kipimo.simulator.report.LinePlot;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code kipimo reproduce}: prints the papers' tables and figures beside Kipimo's results. */
@Command(
        name = "reproduce",
        description = {
            "Runs the papers' experiments in the simulator and prints Kipimo's results beside the "
                    + "papers'. Results that do not match are marked, with the likely cause.",
            "",
            "Without an ID all are run, which takes some minutes; --list names them."
        },
        footer = {"  kipimo reproduce ubora-figure-11 --html figure.html", "  kipimo reproduce --list"})
public final class ReproduceCommand extends PrintingCommand {
    private static final int COLUMNS = 100;

    @Parameters(paramLabel = "ID", arity = "0..*", description = "Experiments to run.")
    private List<String> ids = List.of();

    @Option(names = "--list", description = "Only list the experiments.")
    private boolean list;

    @Option(names = "--html", paramLabel = "FILE", description = "Also write a page with tables and plots.")
    private Path html;

    @Override
    public Integer call() {
        PrintWriter out = output.out();
        List<PaperExperiment> experiments = experiments();
        if (list) {
            List<List<String>> rows = new ArrayList<>(List.of(List.of("id", "title")));
            experiments.forEach(e -> rows.add(List.of(e.id(), e.title())));
            SimulateCommand.print(out, rows);
            return ExitCodes.FINE;
        }
        Html page = new Html("Reproduction of the papers' figures");
        Map<String, Object> tree = new LinkedHashMap<>();
        long matching = 0;
        long differing = 0;
        for (PaperExperiment experiment : experiments) {
            Reproduction reproduction = experiment.experiment().run();
            tree.put(experiment.id(), tree(experiment.title(), reproduction));
            if (!output.isDocument()) {
                print(out, experiment.title(), reproduction);
            }
            page.paragraph(experiment.title() + ". " + reproduction.setting());
            page.table(reproduction.rows());
            if (!reproduction.runs().isEmpty()) {
                HtmlReport.plots(page, reproduction.runs());
            }
            reproduction.plots().forEach(page::plot);
            matching += reproduction.count(Finding.FindingVerdict.MATCHES);
            differing += reproduction.count(Finding.FindingVerdict.DIFFERS);
        }
        if (output.isDocument()) {
            output.print(out, tree);
        } else if (matching + differing > 0) {
            out.println("%s of the papers' figures match, %s do not match; the causes are beside them."
                    .formatted(matching, differing));
        }
        if (html != null) {
            SimulateCommand.write(html, page.page());
        }
        return ExitCodes.FINE;
    }

    private List<PaperExperiment> experiments() {
        return ids.isEmpty()
                ? PaperExperiments.all()
                : ids.stream().map(PaperExperiments::of).toList();
    }

    private static void print(PrintWriter out, String title, Reproduction reproduction) {
        out.println(title);
        out.println(wrapped(reproduction.setting()));
        SimulateCommand.print(out, reproduction.rows());
        out.println();
        out.flush();
    }

    /** Wraps a text into lines of at most 100 columns. */
    static String wrapped(String text) {
        StringBuilder lines = new StringBuilder();
        int column = 0;
        for (String word : text.split(" ")) {
            boolean fits = column + 1 + word.length() <= COLUMNS;
            lines.append(column == 0 ? "" : fits ? " " : "\n").append(word);
            column = column == 0 || !fits ? word.length() : column + 1 + word.length();
        }
        return lines.toString();
    }

    private static Map<String, Object> tree(String title, Reproduction reproduction) {
        return new JsonObject()
                .with("title", title)
                .with("setting", reproduction.setting())
                .with(
                        "findings",
                        reproduction.findings().stream()
                                .map(ReproduceCommand::tree)
                                .toList())
                .with("plots", reproduction.plots().stream().map(LinePlot::tree).toList());
    }

    private static JsonObject tree(Finding finding) {
        return new JsonObject()
                .with("figure", finding.what())
                .with("paper", finding.paper())
                .with("ours", finding.ours())
                .with("verdict", finding.verdict().text())
                .with("note", finding.note());
    }
}
