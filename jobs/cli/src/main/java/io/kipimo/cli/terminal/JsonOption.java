package io.kipimo.cli.terminal;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectWriter;
import java.io.PrintWriter;
import picocli.CommandLine.Option;

/** The option {@code --json} of every command, and its output. */
public final class JsonOption {
    private static final ObjectWriter PRETTY = new ObjectMapper().writerWithDefaultPrettyPrinter();

    @Option(names = "--json", description = "Print JSON instead of a table, for programs.")
    private boolean json;

    public boolean isSet() {
        return json;
    }

    /** Prints maps, lists, numbers, texts and trees. */
    public static void print(PrintWriter out, Object value) {
        try {
            out.println(PRETTY.writeValueAsString(value));
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("cannot be written as JSON: " + value.getClass(), e);
        }
    }
}
