package io.kipimo.cli.policy;

import static org.assertj.core.api.Assertions.assertThat;

import io.kipimo.cli.CommandRun;
import io.kipimo.schemas.policy.Policy;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class PolicyDifferenceTest {
    private static final String YAML = CommandRun.of("policy", "example").out();

    private static Policy policy(String yaml) {
        return PolicyDocument.parse("test", yaml).policy();
    }

    private static List<String> lines(String before, String after) {
        return PolicyDifference.between(Optional.of(policy(before)), policy(after)).stream()
                .map(PolicyDifference::line)
                .toList();
    }

    @Test
    void namesChangedFieldsByClass() {
        assertThat(lines(YAML, YAML)).isEmpty();
        assertThat(lines(YAML, YAML.replace("top_k: 20", "top_k: 10").replace("objective: 0.95", "objective: 0.5")))
                .containsExactly("~ classes.high.objective: 0.95 -> 0.5", "~ top_k: 20 -> 10");
    }

    @Test
    void aClassMoreIsAddedFieldByField() {
        String more = YAML.replaceFirst("(?m)^classes:\n", "classes:\n  - {name: new, priority: 9, objective: 0.5}\n");

        assertThat(lines(YAML, more))
                .contains("+ classes.new.objective: 0.5")
                .allMatch(line -> line.startsWith("+ classes.new."));
        assertThat(lines(more, YAML))
                .contains("- classes.new.objective: 0.5")
                .allMatch(line -> line.startsWith("- classes.new."));
    }

    @Test
    void withoutAStoredPolicyEverythingIsNew() {
        assertThat(PolicyDifference.between(Optional.empty(), policy(YAML)))
                .allMatch(d -> d.before() == null)
                .anyMatch(d -> d.line().equals("+ service: \"search\""))
                .noneMatch(d -> d.field().equals("version"));
    }
}
