package io.kipimo.simulator.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kipimo.schemas.document.InvalidDocumentException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ScenarioReaderTest {
    static Iterable<String> builtIn() {
        return BuiltIn.names();
    }

    @ParameterizedTest
    @MethodSource("builtIn")
    void builtInScenarios_canBeRead(String name) {
        assertThat(BuiltIn.scenario(name).name()).isEqualTo(name);
    }

    @Test
    void allProblemsAreReportedTogether_withKeyValueAndWhatIsAllowed() {
        String text = """
                name: bad
                seconds: -5
                colour: red
                service:
                  tiers:
                    - {name: a, cores: 0, demand: {kind: lognormal, mean_millis: 5}, calls: 2}
                    - {name: b, demand: {kind: gamma, mean_millis: 5}, factor: 3}
                  classes:
                    - {name: all, arrivals: {kind: poisson}}
                """;

        assertThatThrownBy(() -> read(text))
                .isInstanceOfSatisfying(InvalidDocumentException.class, e -> assertThat(e.problems())
                        .anyMatch(p -> p.startsWith("seconds is -5; allowed:"))
                        .anyMatch(p -> p.startsWith("colour is unknown; allowed:"))
                        .anyMatch(p -> p.startsWith("service.tiers[0].cores is 0; allowed:"))
                        .anyMatch(p -> p.startsWith("service.tiers[0].demand.variation is not set"))
                        .anyMatch(p -> p.contains("demand.kind is 'gamma'; allowed: constant,"))
                        .anyMatch(p -> p.contains("factor of b is 3; allowed:"))
                        .anyMatch(p -> p.contains("arrivals.rate_per_second is not set")));
    }

    @Test
    void policy_isCheckedAsTheJobsDo() {
        String text = BuiltIn.text("ubora").replace("current_weight:", "kp: 1000\n      current_weight:");

        assertThatThrownBy(() -> read(text)).hasMessageContaining("admission.kp is 1000");
    }

    @Test
    void classesOfServiceAndPolicy_areTheSame() {
        String text = BuiltIn.text("ubora").replace("{name: low, priority", "{name: lo, priority");

        assertThatThrownBy(() -> read(text))
                .hasMessageContaining("control.policy.classes are high, lo; allowed: those of the service, high, low");
    }

    @Test
    void emptyText_isRefused() {
        assertThatThrownBy(() -> read("")).isInstanceOf(InvalidDocumentException.class);
    }

    private static Scenario read(String text) {
        return ScenarioReader.read(text, file -> "1\n2\n");
    }
}
