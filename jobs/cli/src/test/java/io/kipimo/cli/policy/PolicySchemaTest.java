package io.kipimo.cli.policy;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import com.networknt.schema.JsonSchema;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.SpecVersion;
import com.networknt.schema.ValidationMessage;
import io.kipimo.cli.CommandRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

class PolicySchemaTest {
    private static final String YAML = CommandRun.of("policy", "example").out();

    private static List<String> problems(String yaml) throws IOException {
        JsonNode schema = new ObjectMapper().readTree(CommandRun.of("policy", "schema").out());
        JsonSchema rules =
                JsonSchemaFactory.getInstance(SpecVersion.VersionFlag.V202012).getSchema(schema);
        return rules.validate(new YAMLMapper().readTree(yaml)).stream()
                .map(ValidationMessage::getMessage)
                .toList();
    }

    @Test
    void admitsWhatIsShipped() throws IOException {
        assertThat(problems(YAML)).isEmpty();
        assertThat(problems(Files.readString(Path.of("../../docker/compose/policy.yaml"))))
                .isEmpty();
    }

    @Test
    void namesWhatAnEditorShouldMark() throws IOException {
        assertThat(problems(YAML.replace("top_k:", "top_q:")))
                .singleElement()
                .asString()
                .contains("top_q");
        assertThat(problems(YAML.replace("top_k: 20", "top_k: many"))).isNotEmpty();
        assertThat(problems(YAML.replace("TOP_K_BY_SCORE", "TOP"))).isNotEmpty();
        assertThat(problems("service: x\n")).hasSize(2);
    }
}
