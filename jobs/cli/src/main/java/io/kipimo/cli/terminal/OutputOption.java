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
        ObjectWriter writer = isYaml() ? YAML : JSON;
        try {
            String text = writer.writeValueAsString(value).stripTrailing();
            out.println(isYaml() ? text : Names.escapedJson(text));
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("cannot be written: " + value.getClass(), e);
        }
    }
}
