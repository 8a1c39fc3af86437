package io.kipimo.cli.terminal;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectWriter;
import com.fasterxml.jackson.dataformat.yaml.YAMLGenerator;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.kipimo.schemas.document.JsonObject;
import io.kipimo.schemas.field.Names;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The options {@code --output} and {@code --json} of every command, and the output for programs. */
public final class OutputOption {
    /** Writers of JSON and YAML, created at first use. Their creation takes longer than the output of many commands. */
    private static final class Writers {
        static final ObjectWriter JSON = new ObjectMapper().writerWithDefaultPrettyPrinter();
        static final ObjectWriter YAML = YAMLMapper.builder()
                .enable(YAMLGenerator.Feature.MINIMIZE_QUOTES)
                .enable(YAMLGenerator.Feature.ALWAYS_QUOTE_NUMBERS_AS_STRINGS)
                .build()
                .writer();
    }

    private static final String TABLE_WORD = "table";
    private static final String JSON_WORD = "json";
    private static final String YAML_WORD = "yaml";
    private static final List<String> COMMON = List.of(TABLE_WORD, JSON_WORD, YAML_WORD);

    /** Formats that every command has, for completion. */
    static final class Candidates implements Iterable<String> {
        @Override
        public Iterator<String> iterator() {
            return COMMON.iterator();
        }
    }

    /** A command that has formats of its own, in addition to those of every command. */
    public interface WithFormats {
        /** Names of the command's own formats, in lower case. */
        List<String> ownFormats();
    }

    private String format = TABLE_WORD;

    @Spec(Spec.Target.MIXEE)
    private CommandSpec command;

    @Option(
            names = {"-o", "--output"},
            paramLabel = "FORMAT",
            completionCandidates = Candidates.class,
            description = "Print a table (default), or JSON or YAML for programs: table, json, yaml.")
    void format(String value) {
        List<String> allowed = new ArrayList<>(COMMON);
        if (command.userObject() instanceof WithFormats more) {
            allowed.addAll(more.ownFormats());
        }
        format = value.toLowerCase(Locale.ROOT);
        if (!allowed.contains(format)) {
            throw new ParameterException(
                    command.commandLine(), "--output is '" + value + "'; allowed: " + String.join(", ", allowed));
        }
    }

    @Option(names = "--json", description = "The same as --output json.")
    void json(boolean set) {
        if (set) {
            format = JSON_WORD;
        }
    }

    /** Tells whether the output is a document for programs. */
    public boolean isDocument() {
        return isJson() || isYaml();
    }

    public boolean isJson() {
        return format.equals(JSON_WORD);
    }

    public boolean isYaml() {
        return format.equals(YAML_WORD);
    }

    /** The chosen format if it is the command's own; empty if it is a format of every command. */
    public Optional<String> own() {
        return COMMON.contains(format) ? Optional.empty() : Optional.of(format);
    }

    /** The writer for results. */
    public PrintWriter out() {
        return command.commandLine().getOut();
    }

    /** The writer for remarks. */
    public PrintWriter err() {
        return command.commandLine().getErr();
    }

    /** Prints the document if the user wants one for programs; otherwise prints the text for people. */
    public void print(Supplier<?> document, Consumer<PrintWriter> text) {
        if (isDocument()) {
            print(out(), document.get());
        } else {
            text.accept(out());
        }
        out().flush();
    }

    /**
     * Prints a text file that comes with the program.
     *
     * @param beside class in whose package the file is
     */
    public void printResource(Class<?> beside, String name) {
        out().print(resource(beside, name));
        out().flush();
    }

    /**
     * Reads a text file that comes with the program.
     *
     * @param beside class in whose package the file is
     */
    public static String resource(Class<?> beside, String name) {
        try (InputStream in = beside.getResourceAsStream(name)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Prints names and values, one pair a line, or as a document. */
    public void print(Map<String, ?> figures, String separator) {
        print(() -> figures, out -> figures.forEach((what, figure) -> out.println(what + separator + figure)));
    }

    /** Prints that there is too little data for an answer, and returns the matching exit code. */
    public int notEnough(String why) {
        print(
                () -> new JsonObject().with("verdict", "NOT-ENOUGH").with("why", why),
                out -> out.println("NOT-ENOUGH: " + why));
        return ExitCodes.NOT_ENOUGH;
    }

    /** Prints maps, lists, numbers, texts and trees as JSON, or as a YAML document if the user wants YAML. */
    public void print(PrintWriter out, Object value) {
        out.println((isYaml() ? yaml(Writers.YAML, value) : json(value)).stripTrailing());
    }

    /** Prints a YAML document. */
    public static void printYaml(PrintWriter out, Object value) {
        out.println(yaml(Writers.YAML, value).stripTrailing());
    }

    /**
     * Formats a document as YAML. If the document has characters that could mislead its reader in a terminal, formats
     * it as JSON, which is valid YAML and can escape them.
     */
    public static String yaml(ObjectWriter writer, Object value) {
        String text = write(writer, value);
        return Names.escapedJson(text).equals(text) ? text : json(value) + '\n';
    }

    private static String json(Object value) {
        return Names.escapedJson(write(Writers.JSON, value));
    }

    private static String write(ObjectWriter writer, Object value) {
        try {
            return writer.writeValueAsString(value);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("cannot be written: " + value.getClass(), e);
        }
    }
}
