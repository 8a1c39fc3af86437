package io.kipimo.cli.topics;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.kipimo.cli.CommandRun;
import io.kipimo.schemas.topics.Topic;
import java.io.IOException;
import org.junit.jupiter.api.Test;

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
        assertThat(CommandRun.of("topics", "--prefix", "search.").out())
                .contains("search.answers ");
    }

    @Test
    void printsJson() throws IOException {
        JsonNode tree = new ObjectMapper().readTree(CommandRun.of("topics", "--json").out());
        assertThat(tree.size()).isEqualTo(Topic.values().length);
        assertThat(tree.at("/0/topic").textValue()).isEqualTo("kipimo.answers");
        assertThat(tree.at("/0/partitions").intValue()).isEqualTo(4);
        assertThat(tree.at("/0").has("exists")).isFalse();
    }
}
