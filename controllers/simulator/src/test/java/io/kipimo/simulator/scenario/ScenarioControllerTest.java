package io.kipimo.simulator.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import io.kipimo.schemas.policy.Policy;
import io.kipimo.schemas.policy.ReplicatedTier;
import io.kipimo.schemas.policy.ReplicationPolicy;
import io.kipimo.simulator.control.ControlSpec;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ScenarioControllerTest {
    private static final ControlSpec SPEC = BuiltIn.scenario("faults").control().orElseThrow();

    @ParameterizedTest
    @EnumSource(ScenarioController.class)
    void anotherControllerChangesNothingInThePolicyButAdmissionAndCostOrder(ScenarioController controller) {
        Policy policy = SPEC.policy()
                .withReplication(Optional.of(ReplicationPolicy.defaults(List.of(new ReplicatedTier("leaf", 0, 0, 0)))))
                .withKillSwitch(true)
                .withVersion(7);

        Policy steered = controller.in(SPEC.withPolicy(policy)).policy();

        Policy uniform = steered.withClasses(steered.classes().stream()
                .map(c -> c.toBuilder().costOrder(0).build())
                .toList());
        assertThat(uniform.withAdmission(policy.admission())).isEqualTo(policy);
    }
}
