package io.kipimo.cli.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import com.networknt.schema.JsonSchema;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.SpecVersion;
import com.networknt.schema.ValidationMessage;
import io.kipimo.cli.CommandRun;
import io.kipimo.cli.policy.PolicyDocument;
import io.kipimo.core.Effort;
import io.kipimo.gateway.config.ConfigFile;
import io.kipimo.otlp.SpanRulesFile;
import io.kipimo.schemas.document.Section;
import io.kipimo.simulator.scenario.BuiltIn;
import io.kipimo.simulator.scenario.ScenarioReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class SchemaCommandTest {
    private static final Path ROOT = Path.of("../..");
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final YAMLMapper YAML = new YAMLMapper();
    private static final Pattern FENCE = Pattern.compile("(?ms)^( *)```yaml\\n(.*?)^ *```$", Pattern.MULTILINE);

    /** Reading one takes longer than most tests of it. */
    private static final Map<DocumentKind, JsonSchema> SCHEMAS = new EnumMap<>(DocumentKind.class);

    private static JsonSchema schema(DocumentKind kind) throws IOException {
        JsonSchema known = SCHEMAS.get(kind);
        if (known == null) {
            known = JsonSchemaFactory.getInstance(SpecVersion.VersionFlag.V202012)
                    .getSchema(
                            JSON.readTree(CommandRun.of("schema", kind.word()).out()));
            SCHEMAS.put(kind, known);
        }
        return known;
    }

    private static List<String> problems(JsonSchema schema, JsonNode document) {
        return schema.validate(document).stream()
                .map(ValidationMessage::getMessage)
                .toList();
    }

    private static List<String> problems(DocumentKind kind, String yaml) throws IOException {
        return problems(schema(kind), YAML.readTree(yaml));
    }

    /** Examples of a kind in the repository; the readers accept them. */
    private static List<String> examples(DocumentKind kind) throws IOException {
        return switch (kind) {
            case POLICY ->
                List.of(
                        CommandRun.of("policy", "example").out(),
                        Files.readString(ROOT.resolve("docker/compose/policy.yaml")));
            case GATEWAY ->
                List.of(
                        CommandRun.of("gateway", "--example").out(),
                        Files.readString(ROOT.resolve("docker/compose/gateway.yaml")),
                        YAML.readTree(ROOT.resolve("docker/helm/kipimo/values.yaml")
                                        .toFile())
                                .at("/gateway/config")
                                .asText());
            case OTLP -> List.of(CommandRun.of("otlp", "--example").out(), "expected: [titles, texts]\n");
            case CONTEXTS -> List.of("""
                            current: staging
                            contexts:
                              staging:
                                bootstrap-servers: kafka:9092
                                prefix: k.
                            """);
            case SCENARIO -> BuiltIn.names().stream().map(BuiltIn::text).toList();
            case CACHING -> BuiltIn.cachingNames().stream().map(BuiltIn::text).toList();
        };
    }

    private static void read(DocumentKind kind, String yaml) {
        switch (kind) {
            case POLICY -> PolicyDocument.parse("policy.yaml", yaml);
            case GATEWAY -> ConfigFile.read(yaml, null, "host");
            case OTLP -> SpanRulesFile.read(yaml);
            case SCENARIO -> ScenarioReader.read(yaml, file -> "1");
            case CACHING -> ScenarioReader.readCaching(Section.tree(yaml));
            case CONTEXTS -> readContexts(yaml);
        }
    }

    private static void readContexts(String yaml) {
        String before = System.getProperty("kipimo.contexts");
        try {
            Path file = Files.createTempFile("contexts", ".yaml");
            Files.writeString(file, yaml);
            System.setProperty("kipimo.contexts", file.toString());
            CommandRun run = CommandRun.of("context", "list");
            Files.delete(file);
            if (run.exitCode() != 0) {
                throw new IllegalArgumentException(run.err());
            }
        } catch (IOException e) {
            throw new IllegalStateException(e);
        } finally {
            if (before == null) {
                System.clearProperty("kipimo.contexts");
            } else {
                System.setProperty("kipimo.contexts", before);
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void theFileInTheDocsIsUpToDate(DocumentKind kind) throws IOException {
        Path file = ROOT.resolve("docs/schemas/" + kind.word() + ".schema.json");
        String expected = CommandRun.of("schema", kind.word()).out();
        if (Boolean.getBoolean("docs.write")) {
            Files.createDirectories(file.getParent());
            Files.writeString(file, expected);
        }

        assertThat(file).as("write it anew with -Ddocs.write=true").hasContent(expected);
    }

    @ParameterizedTest
    @EnumSource
    void admitsWhatIsShipped(DocumentKind kind) throws IOException {
        for (String example : examples(kind)) {
            assertThat(problems(kind, example)).as(example).isEmpty();
            assertThatCode(() -> read(kind, example)).as(example).doesNotThrowAnyException();
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"GATEWAY", "OTLP"})
    void knowsTheKeysThatTheExampleHasInComments(DocumentKind kind) throws IOException {
        StringBuilder all = new StringBuilder();
        for (String line : examples(kind).get(0).split("\n", -1)) {
            all.append(line.replaceFirst("^( *)# (?=[a-z-]+: [\\[{])", "$1")).append('\n');
        }

        assertThat(problems(kind, all.toString())).isEmpty();
    }

    /** Documents of the documentation, or parts of them. */
    @Test
    void admitsTheDocumentation() throws IOException {
        int checked = 0;
        try (Stream<Path> pages = Files.walk(ROOT.resolve("docs"))) {
            for (Path page :
                    pages.filter(p -> p.toString().endsWith(".md")).sorted().toList()) {
                Matcher fence = FENCE.matcher(Files.readString(page));
                while (fence.find()) {
                    String yaml = fence.group(2);
                    if (yaml.contains("  - name: ") && yaml.contains("servers: [")) {
                        String whole = yaml.contains("listeners:") ? yaml : "listeners:\n" + yaml;
                        assertFits(DocumentKind.GATEWAY, page, whole);
                        checked++;
                    } else if (yaml.contains("metrics: [") || yaml.contains("objective: 0.")) {
                        assertFits(DocumentKind.POLICY, page, yaml);
                        checked++;
                    }
                }
            }
        }

        assertThat(checked).isGreaterThanOrEqualTo(7);
    }

    private static void assertFits(DocumentKind kind, Path page, String yaml) throws IOException {
        List<String> problems = problems(kind, yaml).stream()
                .filter(problem -> !problem.contains("required property"))
                .toList();

        assertThat(problems).as("%s of %s", kind, page).isEmpty();
    }

    /** An editor must not mark what the commands accept. */
    @ParameterizedTest
    @EnumSource
    void whatItRefusesTheReaderRefuses(DocumentKind kind) throws IOException {
        JsonSchema schema = schema(kind);
        int refused = 0;
        for (JsonNode broken : variations(YAML.readTree(examples(kind).get(0)))) {
            List<String> problems = problems(schema, broken);
            if (!problems.isEmpty()) {
                refused++;
                assertThatThrownBy(() -> read(kind, broken.toString()))
                        .as("%s, which the schema refuses: %s", broken, problems)
                        .isInstanceOf(RuntimeException.class);
            }
        }

        assertThat(refused).isGreaterThan(2);
    }

    /** The document with one value replaced, or one key added. */
    private static List<JsonNode> variations(JsonNode document) {
        List<JsonNode> all = new ArrayList<>();
        vary(document, changed -> all.add(changed));
        return all;
    }

    private static void vary(JsonNode node, Consumer<JsonNode> whole) {
        if (node instanceof ObjectNode object) {
            ObjectNode more = object.deepCopy();
            whole.accept(more.put("no_such-key", 1));
            for (String key : fieldNames(object)) {
                vary(object.get(key), changed -> whole.accept(object.deepCopy().set(key, changed)));
            }
        } else if (node instanceof ArrayNode array) {
            for (int i = 0; i < array.size(); i++) {
                int place = i;
                vary(array.get(i), changed -> {
                    ArrayNode copy = array.deepCopy();
                    copy.set(place, changed);
                    whole.accept(copy);
                });
            }
        } else {
            JsonNodeFactory nodes = JsonNodeFactory.instance;
            Effort.first(
                            2,
                            nodes.textNode("@@"),
                            nodes.numberNode(-1),
                            nodes.numberNode(1_000_000_001),
                            nodes.booleanNode(true))
                    .forEach(whole);
        }
    }

    private static List<String> fieldNames(ObjectNode object) {
        List<String> names = new ArrayList<>();
        object.fieldNames().forEachRemaining(names::add);
        return names;
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "POLICY   | top_k: 20            | top_q: 20",
                "POLICY   | top_k: 20            | top_k: many",
                "POLICY   | top_k: 20            | top_k: 10001",
                "POLICY   | kind: TOP_K_BY_SCORE | kind: TOP",
                "POLICY   | safe_fraction: 0.5   | safe_fraction: 1.5",
                "POLICY   | objective: 0.95      | floor: 0.1",
                "GATEWAY  | deadline: 100ms      | deadline: 100",
                "GATEWAY  | role: front          | role: back",
                "GATEWAY  | top-k: 20            | top-k: 0.5",
                "GATEWAY  | floor: 0.01          | floor: -1",
                "GATEWAY  | listen: 127.0.0.1:80 | listens: 127.0.0.1:80",
                "OTLP     | services:            | servizes:",
                "OTLP     | floor: 0.01          | floor: 2",
                "CONTEXTS | prefix: k.           | prefixes: k.",
                "SCENARIO | seconds:             | second:",
                "CACHING  | refresh_millis: 1000 | delta: 1000",
                "CACHING  | mode: all            | mode: every",
                "CACHING  | write_share: 0.01    | write_share: 2",
            })
    void marksWhatTheReaderRefuses(DocumentKind kind, String right, String wrong) throws IOException {
        String example = examples(kind).get(0);
        assertThat(example).contains(right);
        String broken = example.replaceFirst(Pattern.quote(right), wrong);

        assertThat(problems(kind, broken)).as(wrong).isNotEmpty();
        assertThatThrownBy(() -> read(kind, broken)).as(wrong).isInstanceOf(RuntimeException.class);
    }

    @ParameterizedTest
    @CsvSource({
        "GATEWAY, /properties/listeners/items/properties/role, role: front, listeners.0..role",
        "OTLP, /properties/preset, '# preset: conventional', preset"
    })
    void hasTheConstantsOfTheReadersError(DocumentKind kind, String at, String line, String key)
            throws JsonProcessingException {
        JsonNode words =
                JSON.readTree(CommandRun.of("schema", kind.word()).out()).at(at + "/enum");
        List<String> allowed = new ArrayList<>();
        words.forEach(word -> allowed.add(word.asText()));
        String word = at.substring(at.lastIndexOf('/') + 1);
        String replaced = line.contains(word) ? word + ": none-such" : line + "\n    " + word + ": none-such";

        assertThat(allowed).as("constants of %s", key).isNotEmpty();
        assertThatThrownBy(() -> read(kind, examples(kind).get(0).replaceFirst(Pattern.quote(line), replaced)))
                .hasMessageContaining(word + " is 'none-such'; allowed: " + String.join(", ", allowed));
    }

    @Test
    void listsTheKindsAndRefusesOthers() {
        assertThat(CommandRun.of("schema").out()).contains("policy", "kipimo otlp --rules FILE");
        assertThat(CommandRun.of("schema", "--json").out()).contains("\"gateway\" : ");

        CommandRun run = CommandRun.of("schema", "polizy");

        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.err())
                .contains("schema is 'polizy'; allowed: policy, gateway, otlp, contexts, scenario, caching")
                .doesNotContain(" at io.kipimo".toLowerCase(Locale.ROOT));
    }
}
