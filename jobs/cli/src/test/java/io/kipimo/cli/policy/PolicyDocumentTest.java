package io.kipimo.cli.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.google.protobuf.util.JsonFormat;
import io.kipimo.cli.CommandRun;
import io.kipimo.cli.terminal.InputException;
import io.kipimo.schemas.codec.Codecs;
import io.kipimo.schemas.policy.AdmissionPolicy;
import io.kipimo.schemas.policy.ComponentCost;
import io.kipimo.schemas.policy.FactorOverride;
import io.kipimo.schemas.policy.FanOutPolicy;
import io.kipimo.schemas.policy.ManualOverride;
import io.kipimo.schemas.policy.MergeKind;
import io.kipimo.schemas.policy.Policy;
import io.kipimo.schemas.policy.ReplicatedTier;
import io.kipimo.schemas.policy.ReplicationPolicy;
import io.kipimo.schemas.policy.SamplingPolicy;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PolicyDocumentTest {
    private static final String SMALLEST = """
            service: search
            metrics: [tpr@20]
            classes:
              - {name: high, priority: 0, objective: 0.95}
              - {name: low, priority: 1, objective: 0.8}
            """;

    @Test
    void theExampleIsValidAndHasTheDefaults() {
        Policy example = parse(CommandRun.of("policy", "example").out());
        Policy smallest = parse(SMALLEST);

        assertThat(example.service()).isEqualTo("search");
        assertThat(example.admission()).isEqualTo(AdmissionPolicy.DEFAULT).isEqualTo(smallest.admission());
        assertThat(example.sampling()).isEqualTo(SamplingPolicy.DEFAULT).isEqualTo(smallest.sampling());
        assertThat(example.merge()).isEqualTo(smallest.merge());
        assertThat(example.topK()).isEqualTo(smallest.topK());
        assertThat(example.expirationWindowMillis()).isEqualTo(smallest.expirationWindowMillis());
        assertThat(example.windowMillis()).isEqualTo(smallest.windowMillis());
        assertThat(example.slideMillis()).isEqualTo(smallest.slideMillis());
        assertThat(example.highestClass()).isEqualTo(smallest.highestClass());
    }

    @Test
    void theExampleAsJsonIsTheSamePolicy() throws Exception {
        CommandRun json = CommandRun.of("policy", "example", "--json");
        assertThat(json.exitCode()).isZero();
        assertThat(new ObjectMapper().readTree(json.out()).path("service").textValue())
                .isEqualTo("search");
        assertThat(parse(json.out()))
                .isEqualTo(parse(CommandRun.of("policy", "example").out()));
    }

    @Test
    void aShownPolicyCanBeSet() {
        Policy policy = parse(SMALLEST + "merge: {kind: WEIGHTED, weights: {a.b: 2, c: 0.5}}\n")
                .withOverride("low", Optional.of(new ManualOverride(0.25, 5000, "ada: #1", "yes")));
        assertThat(parse(PolicyDocument.yaml(policy))).isEqualTo(policy);
    }

    @Test
    void protobufsOwnJsonFormIsRead() throws Exception {
        Policy policy = parse(SMALLEST);
        String json = JsonFormat.printer().print(Codecs.POLICY.toMessage(policy));
        assertThat(parse(json)).isEqualTo(policy);
    }

    @Test
    void fieldsThatAreLeftOutHaveTheirDefaultsAndOthersTheirValues() {
        Policy policy = parse(SMALLEST + "admission: {shadow: false}\nmerge: {kind: UNION}\n");
        assertThat(policy.admission().shadow()).isFalse();
        assertThat(policy.admission().kp()).isEqualTo(AdmissionPolicy.DEFAULT.kp());
        assertThat(policy.merge().kind()).isEqualTo(MergeKind.UNION);
    }

    @Test
    void allProblemsAreReportedTogether() {
        String bad = """
                service: search/1
                metrics: [tpr@20, frob]
                top_k: many
                topK2: 3
                merge: {kind: BEST}
                classes:
                  - {name: high, priority: 0, objective: 2, flor: 0.1}
                  - {name: low, priority: 1, safe_fraction: yes please}
                admission: {kp: -1, batchQueries: 1.5}
                """;
        assertThatThrownBy(() -> parse(bad))
                .isInstanceOf(InputException.class)
                .satisfies(e -> assertThat(e.getMessage().lines())
                        .allMatch(line -> line.startsWith("test: "))
                        .allMatch(line -> line.contains("allowed: "))
                        .hasSize(11))
                .hasMessageContaining("service is 'search/1'")
                .hasMessageContaining("metrics: similarity is 'frob'")
                .hasMessageContaining("top_k is \"many\"; allowed: a whole number")
                .hasMessageContaining("topK2 is not a field; allowed: service, version")
                .hasMessageContaining("merge.kind is \"BEST\"; allowed: one of TOP_K_BY_SCORE")
                .hasMessageContaining("classes.high.objective is 2.0; allowed: 0.0..1.0")
                .hasMessageContaining("classes.high.flor is not a field; allowed: name")
                .hasMessageContaining("classes.low.objective is missing")
                .hasMessageContaining("classes.low.safe_fraction is \"yes please\"")
                .hasMessageContaining("admission.kp is -1.0; allowed: 0.0..100.0")
                .hasMessageContaining("admission.batch_queries is 1.5; allowed: a whole number");
    }

    @ParameterizedTest
    @ValueSource(strings = {"NO", "on", "1.10", "010", "0x10", "12e03", "1_000", "1:30"})
    void aNameThatLooksLikeSomethingElseStaysThisName(String name) {
        String yaml = "service: "
                + name
                + "\nmetrics: [tpr@10]\nclasses:\n  - {name: "
                + name
                + ", priority: 0, objective: 0.95}\n";
        assertThat(parse(yaml).service()).isEqualTo(name);
        assertThat(parse(yaml).classes().get(0).name()).isEqualTo(name);
    }

    @Test
    void invalidYamlIsReportedWithItsPosition() {
        assertThatThrownBy(() -> parse("service: [search\n"))
                .isInstanceOf(InputException.class)
                .hasMessageStartingWith("test:1:17: ");
        assertThatThrownBy(() -> parse("service: a\nservice: b\n"))
                .isInstanceOf(InputException.class)
                .hasMessageContaining("Duplicate");
        assertThatThrownBy(() -> parse("just text"))
                .isInstanceOf(InputException.class)
                .hasMessageContaining("allowed: fields, such as service");
        assertThatThrownBy(() -> parse("")).isInstanceOf(InputException.class);
    }

    @Test
    void aChangeKeepsOverridesSetMeanwhile() {
        Policy first = parse(SMALLEST);
        ManualOverride override = new ManualOverride(0.25, 0, "ada", "drill");
        Policy stored = first.withKillSwitch(true).withOverride("low", Optional.of(override));

        Policy next = PolicyDocument.parse("test", SMALLEST + "top_k: 50\n").after(stored);

        assertThat(next.topK()).isEqualTo(50);
        assertThat(next.killSwitch()).isTrue();
        assertThat(next.classPolicy("low").orElseThrow().override()).contains(override);
    }

    @Test
    void replicationHasItsDefaultsWhereItIsAskedFor() {
        assertThat(parse(SMALLEST).replication()).isEmpty();

        Policy policy = parse(SMALLEST + "replication: {tiers: [{name: web}, {name: store, servers: 8}]}\n");

        assertThat(policy.replication())
                .contains(ReplicationPolicy.defaults(
                        List.of(new ReplicatedTier("web", 0, 0, 0), new ReplicatedTier("store", 8, 0, 0))));
        assertThat(parse(PolicyDocument.yaml(policy))).isEqualTo(policy);
        assertThatThrownBy(() -> parse(SMALLEST + "replication: {target: P50}\n"))
                .hasMessageContaining("replication.target is \"P50\"; allowed: one of MEAN, P95, P99")
                .hasMessageContaining("replication.tiers is empty; allowed: 1..16");
    }

    @Test
    void askingFewerComponentsHasItsDefaultsWhereItIsAskedFor() {
        assertThat(parse(SMALLEST).fanOut()).isEmpty();

        Policy policy = parse(SMALLEST + "fan_out: {classes: [low], floor: 0.9}\n");

        assertThat(policy.fanOut())
                .contains(FanOutPolicy.builder()
                        .classes(List.of("low"))
                        .floor(0.9)
                        .build());
        assertThat(parse(SMALLEST + "fanOut: {classes: [low], costs: [{name: a, cost: 2}]}\n")
                        .fanOut())
                .contains(FanOutPolicy.builder()
                        .classes(List.of("low"))
                        .costs(List.of(new ComponentCost("a", 2)))
                        .build());
        assertThat(parse(PolicyDocument.yaml(policy))).isEqualTo(policy);
        assertThatThrownBy(() -> parse(SMALLEST + "fan_out: {classes: [lower], floor: 2}\n"))
                .hasMessageContaining("fan_out.floor is 2.0; allowed: 0.0..1.0")
                .hasMessageContaining("fan_out.classes names 'lower'; allowed: ");
        assertThatThrownBy(() -> parse(SMALLEST + "fan_out: {floor: 0.9}\n"))
                .hasMessageContaining("fan_out.classes is empty; allowed: at least one of ");
    }

    @Test
    void anOverrideOfFactorsStaysForAsLongAsTheTiersDo() {
        Policy first = parse(SMALLEST + "replication: {tiers: [{name: web}, {name: store}]}\n");
        Policy stored = Policies.withFactors(first, Optional.of(new FactorOverride(List.of(2, 1), 0, "ada", "drill")));

        assertThat(PolicyDocument.parse(
                                "test", SMALLEST + "replication: {shadow: false, tiers: [{name: web}, {name: db}]}\n")
                        .after(stored)
                        .replication()
                        .orElseThrow()
                        .override())
                .isPresent();
        assertThat(PolicyDocument.parse("test", SMALLEST + "replication: {tiers: [{name: web}]}\n")
                        .after(stored)
                        .replication()
                        .orElseThrow()
                        .override())
                .isEmpty();
        assertThatThrownBy(() ->
                        Policies.withFactors(first, Optional.of(new FactorOverride(List.of(2), 0, "ada", "drill"))))
                .hasMessageContaining("FACTOR is [2]; allowed: one for each tier, at least 1: web, store");
    }

    @Test
    void aDocumentThatNamesTheKillSwitchSetsIt() {
        Policy first = parse(SMALLEST);
        Policy killed = first.withKillSwitch(true);
        assertThat(PolicyDocument.parse("test", SMALLEST + "killSwitch: false\n")
                        .after(killed)
                        .killSwitch())
                .isFalse();
    }

    private static Policy parse(String text) {
        return PolicyDocument.parse("test", text).policy();
    }
}
