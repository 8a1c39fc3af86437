package io.kipimo.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.kipimo.schemas.policy.AdmissionPolicy;
import io.kipimo.schemas.policy.ClassPolicy;
import io.kipimo.schemas.policy.ManualOverride;
import io.kipimo.schemas.policy.Policy;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class KafkaTargetHoldTest {
    private static final long NOW = 1_000_000;
    private static final long UNTIL = NOW + KafkaTargetHold.LEASE_MILLIS;
    private static final String BY = "rating 7";

    private static Policy policy(boolean isShadow, Optional<ManualOverride> personsWord) {
        return Policy.builder()
                .service("shop")
                .version(1)
                .metrics(List.of("tpr@20"))
                .expirationWindowMillis(2_000)
                .windowMillis(1_000)
                .slideMillis(1_000)
                .classes(List.of(
                        ClassPolicy.builder()
                                .name("people")
                                .priority(0)
                                .objective(0.9)
                                .floor(0.1)
                                .build(),
                        ClassPolicy.builder()
                                .name("robots")
                                .priority(1)
                                .objective(0.9)
                                .safeFraction(0.5)
                                .floor(0.1)
                                .override(personsWord)
                                .build(),
                        ClassPolicy.builder()
                                .name("batch")
                                .priority(2)
                                .objective(0.9)
                                .safeFraction(0.2)
                                .floor(0.1)
                                .build()))
                .build()
                .withAdmission(AdmissionPolicy.DEFAULT.withShadow(isShadow));
    }

    private static Policy held(Policy policy, Map<String, Double> fractions, long untilMillis) {
        return KafkaTargetHold.held(policy, fractions, Map.of(), BY, untilMillis);
    }

    private static Optional<Double> fraction(Policy policy, String queryClass) {
        return policy.classPolicy(queryClass).flatMap(ClassPolicy::override).map(ManualOverride::fraction);
    }

    @Test
    void aHoldKeepsTheAdmittedFractions() {
        Policy held = held(policy(false, Optional.empty()), Map.of("robots", 0.3), UNTIL);

        assertThat(fraction(held, "robots")).contains(0.3);
        assertThat(fraction(held, "batch")).as("no decision: the safe fraction").contains(0.2);
        assertThat(fraction(held, "people")).as("it is never shed").isEmpty();
    }

    @Test
    void aProlongedHoldKeepsItsFractions() {
        Policy held = held(policy(false, Optional.empty()), Map.of("robots", 0.3), UNTIL);
        Policy prolonged = held(held, Map.of("robots", 0.9), UNTIL + 60_000);

        assertThat(prolonged.classPolicy("robots").orElseThrow().override())
                .contains(new ManualOverride(0.3, UNTIL + 60_000, BY, "held while it is rated"));
    }

    @Test
    void overridesOfPeopleSurviveAHold() {
        Optional<ManualOverride> word = Optional.of(new ManualOverride(0.7, 0, "ann", "sale"));
        Policy held = held(policy(false, word), Map.of("robots", 0.3, "batch", 0.4), UNTIL);

        assertThat(fraction(held, "robots")).contains(0.7);
        assertThat(KafkaTargetHold.released(held, BY)).isEqualTo(policy(false, word));
    }

    @Test
    void shadowModeIsNotHeld() {
        Policy shadow = policy(true, Optional.empty());

        assertThat(held(shadow, Map.of("robots", 0.3), UNTIL)).isEqualTo(shadow);
    }
}
