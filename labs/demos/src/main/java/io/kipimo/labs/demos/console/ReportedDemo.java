package io.kipimo.labs.demos.console;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import io.kipimo.embedded.watch.Progress;
import io.kipimo.local.ConsoleProgram;
import io.kipimo.local.LocalConsole;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Consumer;
import picocli.CommandLine.Option;

/** A demo that ends with a table and a report. */
public abstract class ReportedDemo extends ConsoleProgram {
    @Option(names = "--headless", description = "No console and no browser.")
    private boolean headless;

    @Option(names = "--json", description = "Print the figures as JSON; progress goes to standard error.")
    private boolean json;

    protected final Optional<LocalConsole> console() {
        return headless ? Optional.empty() : Optional.of(new LocalConsole(port));
    }

    @SuppressWarnings("SystemConsoleNull") // From JDK 22 on it is not null; a log then has one line a second.
    protected static Progress progress() {
        return new Progress(System.err, System.console() != null);
    }

    /**
     * Writes the report, and prints the results.
     *
     * @param text prints the results, unless JSON was asked for
     */
    protected final void show(Path report, String html, String svg, Object summary, Consumer<PrintWriter> text)
            throws IOException {
        Files.createDirectories(report);
        Files.writeString(report.resolve("report.html"), html);
        Files.writeString(report.resolve("plot.svg"), svg);
        PrintWriter out = spec.commandLine().getOut();
        if (json) {
            out.println(new ObjectMapper()
                    .enable(SerializationFeature.INDENT_OUTPUT)
                    .writeValueAsString(summary));
        } else {
            out.println();
            text.accept(out);
            out.println("  Report: "
                    + report.resolve("report.html").toAbsolutePath().toUri());
        }
        out.flush();
    }
}
