package io.kipimo.cli.topics;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.kipimo.cli.CommandRun;
import io.kipimo.schemas.topics.Role;
import io.kipimo.schemas.topics.Topic;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TopicsCommandTest {
    @Test
    void printsTheWholeCatalogue() {
        CommandRun run = CommandRun.of("topics");
        assertThat(run.exitCode()).isZero();
        assertThat(run.out().lines()).hasSize(1 + Topic.values().length);
        for (Topic topic : Topic.values()) {
            assertThat(run.out().lines())
                    .filteredOn(line -> line.startsWith("kipimo." + topic.suffix() + " "))
                    .singleElement()
                    .asString()
                    .contains(topic.message(), topic.key(), topic.holds());
        }
    }

    @Test
    void prefixesNames() {
        assertThat(CommandRun.of("topics", "--prefix", "search.").out()).contains("search.answers ");
    }

    @Test
    void printsJson() throws IOException {
        JsonNode tree =
                new ObjectMapper().readTree(CommandRun.of("topics", "--json").out());
        assertThat(tree.size()).isEqualTo(Topic.values().length);
        assertThat(tree.at("/0/topic").textValue()).isEqualTo("kipimo.answers");
        assertThat(tree.at("/0/partitions").intValue()).isEqualTo(4);
        assertThat(tree.at("/0").has("exists")).isFalse();
    }

    private static String run(String... words) {
        CommandRun run = CommandRun.of(words);
        assertThat(run.exitCode()).as("%s", run).isZero();
        return run.out();
    }

    @Test
    void commandsOfKafkaAclsGiveEachRoleWhatItUses() {
        List<String> lines = run("topics", "-o", "acls", "--topic-prefix=shop.", "--group-id=g")
                .lines()
                .toList();
        String command = "kafka-acls.sh --bootstrap-server \"$KIPIMO_BOOTSTRAP_SERVERS\" --add";

        assertThat(lines).allMatch(line -> line.startsWith("# ") || line.startsWith(command));
        assertThat(lines).filteredOn(line -> line.startsWith("# ")).hasSameSizeAs(Role.values());
        assertThat(lines)
                .contains(
                        command
                                + " --allow-principal User:shop-service --operation Write"
                                + " --topic 'shop.answers' --topic 'shop.partials'"
                                + " --topic 'shop.observations' --topic 'shop.server-observations'"
                                + " --topic 'shop.replica-truth'",
                        command
                                + " --allow-principal User:shop-admission --operation Read"
                                + " --topic 'shop.quality-windows' --topic 'shop.replication'"
                                + " --topic 'shop.policies' --group 'g-admission'",
                        command
                                + " --allow-principal User:shop-admission --operation Write"
                                + " --resource-pattern-type prefixed --transactional-id 'g-admission-'");
        assertThat(lines)
                .filteredOn(line -> line.contains(":shop-service ") && line.contains(" Read "))
                .noneMatch(line -> line.contains("answers") || line.contains("--group"));
    }

    /** Only the roles that SECURITY.md names may command. */
    @Test
    void onlyFewMayWriteCommands() {
        assertThat(writers(Topic.POLICIES)).containsExactly(Role.CONSOLE, Role.OPERATOR);
        assertThat(writers(Topic.ADMISSION)).containsExactly(Role.ADMISSION);
        assertThat(writers(Topic.SAMPLING)).containsExactly(Role.ADMISSION);
        assertThat(writers(Topic.REPLICATION)).containsExactly(Role.REPLICATION);
        assertThat(writers(Topic.ANSWERS)).containsExactly(Role.SERVICE, Role.QUALITY);
        for (Topic topic : Topic.values()) {
            assertThat(writers(topic)).as("%s", topic).isNotEmpty();
        }
    }

    private static List<Role> writers(Topic topic) {
        return Arrays.stream(Role.values())
                .filter(r -> r.writes().contains(topic))
                .toList();
    }

    @Test
    void strimziHasEveryTopicAndEveryRole() throws IOException {
        String out = run("topics", "-o=strimzi", "--topic-prefix=Shop_", "--replication=3", "--strimzi-cluster=prod");
        List<JsonNode> all = new YAMLMapper()
                .readerFor(JsonNode.class)
                .<JsonNode>readValues(out)
                .readAll();

        assertThat(all).hasSize(Topic.values().length + Role.values().length);
        assertThat(all)
                .allMatch(r -> r.at("/metadata/labels")
                        .path("strimzi.io/cluster")
                        .asText()
                        .equals("prod"))
                .allMatch(r -> r.path("apiVersion").asText().equals("kafka.strimzi.io/v1"));
        JsonNode answers = all.get(0);
        assertThat(answers.at("/metadata/name").asText()).isEqualTo("shop-answers");
        assertThat(answers.at("/spec/topicName").asText()).isEqualTo("Shop_answers");
        assertThat(answers.at("/spec/replicas").intValue()).isEqualTo(3);
        assertThat(answers.at("/spec/partitions").intValue()).isEqualTo(4);
        assertThat(answers.at("/spec/config").path("retention.ms").asText()).isEqualTo("86400000");
        JsonNode quality = all.stream()
                .filter(r -> r.at("/metadata/name").asText().equals("shop-quality"))
                .filter(r -> r.path("kind").asText().equals("KafkaUser"))
                .findFirst()
                .orElseThrow();
        assertThat(quality.at("/spec/authorization/acls").toString())
                .contains(
                        "{\"resource\":{\"type\":\"topic\",\"name\":\"Shop_answers\","
                                + "\"patternType\":\"literal\"},\"operations\":[\"Read\",\"Write\"]}",
                        "{\"resource\":{\"type\":\"group\",\"name\":\"kipimo-quality\","
                                + "\"patternType\":\"literal\"},\"operations\":[\"Read\"]}",
                        "{\"resource\":{\"type\":\"transactionalId\",\"name\":\"kipimo-quality-\","
                                + "\"patternType\":\"prefix\"},\"operations\":[\"Write\"]}",
                        "{\"resource\":{\"type\":\"topic\",\"name\":\"Shop_\","
                                + "\"patternType\":\"prefix\"},\"operations\":[\"Describe\"]}");
    }

    /** {@code -Ddocs.write=true} writes the file. */
    @Test
    void theDocumentedAsyncApiIsThatOfTheCatalogue() throws IOException {
        String document = run("topics", "-o", "asyncapi", "--replication=3");
        Path file = Path.of("../../docs/schemas/asyncapi.yaml");
        if (Boolean.getBoolean("docs.write")) {
            Files.writeString(file, document);
        }
        assertThat(Files.readString(file)).isEqualTo(document);

        JsonNode tree = new YAMLMapper().readTree(document);
        assertThat(tree.path("channels")).hasSize(Topic.values().length);
        for (JsonNode operation : tree.path("operations")) {
            assertThat(tree.at(operation.at("/channel/$ref").asText().substring(1))
                            .isObject())
                    .isTrue();
            assertThat(tree.at(operation.at("/messages/0/$ref").asText().substring(1))
                            .isObject())
                    .isTrue();
        }
        for (JsonNode channel : tree.path("channels")) {
            JsonNode message = channel.path("messages").iterator().next();
            assertThat(Path.of(
                            "../../schemas/src/main/proto",
                            message.at("/x-protobuf/file").asText()))
                    .content()
                    .contains("message "
                            + message.at("/x-protobuf/message").asText().replace("kipimo.v1.", "")
                            + " {");
        }
        assertThat(tree.at("/operations/quality.receive.answers/bindings/kafka/groupId/enum/0")
                        .asText())
                .isEqualTo("kipimo-quality");
        assertThat(tree.at("/operations/service.send.answers/action").asText()).isEqualTo("send");
    }

    @ParameterizedTest
    @CsvSource({
        "--group-id=a b,--group-id is 'a b'; allowed: 1 to 200 of",
        "--topic-prefix=a'b,--topic-prefix is 'a'b'; allowed: at most 100 of",
        "--replication=0,--replication is 0; allowed: at least 1",
        "--strimzi-cluster=A,--strimzi-cluster is 'A'; allowed: a name of Kubernetes",
    })
    void whatBrokersOrShellsWouldMisreadIsRefused(String option, String problem) {
        CommandRun run = CommandRun.of("topics", "-o", "strimzi", option);

        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.err()).contains(problem);
        assertThat(run.out()).isEmpty();
    }

    @Test
    void otherCommandsDoNotHaveItsFormats() {
        CommandRun run = CommandRun.of("schema", "-o", "acls");

        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.err()).contains("--output is 'acls'; allowed: table, json, yaml");
    }
}
