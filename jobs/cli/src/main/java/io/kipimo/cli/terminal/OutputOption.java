package io.kipimo.cli.terminal;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectWriter;
import com.fasterxml.jackson.dataformat.yaml.YAMLGenerator;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.kipimo.schemas.field.Names;
import java.io.PrintWriter;
import picocli.CommandLine.Option;

/**
 * The options {@code --output} and {@code --json} of every command, and the output for programs.
 */
public final class OutputOption {
    private static final ObjectWriter JSON = new ObjectMapper().writerWithDefaultPrettyPrinter();
    private static final ObjectWriter YAML =
            YAMLMapper.builder()
                    .enable(YAMLGenerator.Feature.MINIMIZE_QUOTES)
                    .enable(YAMLGenerator.Feature.ALWAYS_QUOTE_NUMBERS_AS_STRINGS)
                    .build()
                    .writer();

    /** What a command prints. */
    private enum Format {
        TABLE,
        JSON,
        YAML
    }

    private Format format = Format.TABLE;

    @Option(
            names = {"-o", "--output"},
            paramLabel = "FORMAT",
            description =
                    "Print a table (default), or JSON or YAML for programs: table, json, yaml.")
    void format(Format value) {
        format = value;
    }

    @Option(names = "--json", description = "The same as --output json.")
    void json(boolean set) {
        if (set) {
            format = Format.JSON;
        }
    }

    /** True if the output is a document for programs. */
    public boolean isDocument() {
        return format != Format.TABLE;
    }

    public boolean isJson() {
        return format == Format.JSON;
    }

    public boolean isYaml() {
        return format == Format.YAML;
    }

    /**
     * Prints maps, lists, numbers, texts and trees: as JSON, or as a YAML document if the user
     * wants YAML.
     */
    public void print(PrintWriter out, Object value) {
        out.println((isYaml() ? yaml(YAML, value) : json(value)).stripTrailing());
    }

    /**
     * A document without characters that mislead who reads it in a terminal: in JSON, which is
     * YAML, too, if it has some, since YAML has escapes only in quotes.
     */
    public static String yaml(ObjectWriter writer, Object value) {
        String text = write(writer, value);
        return Names.escapedJson(text).equals(text) ? text : json(value) + '\n';
    }

    private static String json(Object value) {
        return Names.escapedJson(write(JSON, value));
    }

    private static String write(ObjectWriter writer, Object value) {
        try {
            return writer.writeValueAsString(value);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("cannot be written: " + value.getClass(), e);
        }
    }
}
