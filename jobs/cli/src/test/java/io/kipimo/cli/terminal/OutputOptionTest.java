package io.kipimo.cli.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.kipimo.cli.CommandRun;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

class OutputOptionTest {
    @Test
    void yamlIsTheSameDocumentAsJson() throws IOException {
        JsonNode json =
                new ObjectMapper().readTree(CommandRun.of("topics", "--json").out());
        CommandRun yaml = CommandRun.of("topics", "-o", "yaml");
        assertThat(yaml.out()).startsWith("---\n").doesNotContain("{");
        assertThat(new YAMLMapper().readTree(yaml.out())).isEqualTo(json);
        assertThat(CommandRun.of("topics", "--output=json").out())
                .isEqualTo(CommandRun.of("topics", "--json").out());
    }

    @Test
    void theTableIsTheDefault() {
        assertThat(CommandRun.of("topics", "-o", "table").out())
                .isEqualTo(CommandRun.of("topics").out());
    }

    @Test
    void aPolicyInYamlIsADocumentForPolicySet() {
        assertThat(CommandRun.of("policy", "example", "-o", "yaml").out())
                .isEqualTo(CommandRun.of("policy", "example").out());
    }

    @Test
    void otherFormatsAreRefused() {
        CommandRun run = CommandRun.of("topics", "-o", "xml");
        assertThat(run.exitCode()).isEqualTo(ExitCodes.BAD_INPUT);
        assertThat(run.err()).contains("--output is 'xml'; allowed: table, json, yaml");
    }

    @Test
    void textsThatLookLikeNumbersOrFlagsStayTexts() throws IOException {
        Map<String, Object> document = Map.of("id", "007", "flag", "no", "share", 0.25);
        StringWriter text = new StringWriter();
        output("-o", "yaml").print(new PrintWriter(text, true), document);
        JsonNode tree = new YAMLMapper().readTree(text.toString());
        assertThat(tree.get("id").textValue()).isEqualTo("007");
        assertThat(tree.get("flag").textValue()).isEqualTo("no");
        assertThat(tree.get("share").doubleValue()).isEqualTo(0.25);
    }

    @Test
    void charactersThatMisleadAreEscapedInEachFormat() throws IOException {
        Map<String, Object> document = Map.of("a\u202eb", "c\u009b\u2066d");
        for (String format : List.of("json", "yaml")) {
            StringWriter text = new StringWriter();
            output("-o", format).print(new PrintWriter(text, true), document);
            assertThat(text.toString()).doesNotContainPattern("[\u009b\u202e\u2066]");
            assertThat(new YAMLMapper().readTree(text.toString())).isEqualTo(new ObjectMapper().valueToTree(document));
        }
    }

    private static OutputOption output(String... arguments) {
        Commanded command = new Commanded();
        new CommandLine(command).setCaseInsensitiveEnumValuesAllowed(true).parseArgs(arguments);
        return command.output;
    }

    @Command
    private static final class Commanded {
        @Mixin
        private OutputOption output;
    }
}
