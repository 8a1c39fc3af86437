package io.kipimo.core.quality.fanout.model;

import static org.assertj.core.api.Assertions.assertThat;

import io.kipimo.schemas.fanout.FanOutPublication;
import io.kipimo.schemas.fanout.FanOutPublicationBuilder;
import io.kipimo.schemas.fanout.FanOutState;
import io.kipimo.schemas.policy.ClassPolicy;
import io.kipimo.schemas.policy.FanOutPolicy;
import io.kipimo.schemas.policy.Policy;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class FanOutAccountTest {
    private static final long NOW = 1_764_000_000_000L;

    private static final FanOutPublication ON = FanOutPublicationBuilder.builder()
            .service("shop")
            .queryClass("low")
            .version(3)
            .learnedAtMillis(NOW - 1_000)
            .validUntilMillis(NOW + 60_000)
            .state(FanOutState.ON)
            .reason("saves 40 % of the work at floor 0.93")
            .floor(0.93)
            .exploration(0.02)
            .queries(2_000)
            .saving(0.4)
            .quality(0.951)
            .build();

    private static Policy policy(boolean killSwitch, String... classes) {
        return Policy.builder()
                .service("shop")
                .version(1)
                .metrics(List.of("tpr@10"))
                .topK(10)
                .classes(
                        List.of(ClassPolicy.builder().name("low").objective(0.8).build()))
                .killSwitch(killSwitch)
                .fanOut(
                        classes.length == 0
                                ? Optional.empty()
                                : Optional.of(FanOutPolicy.builder()
                                        .classes(List.of(classes))
                                        .shadow(false)
                                        .build()))
                .build();
    }

    private static List<String> account(FanOutPublication publication, Policy policy, long now) {
        return FanOutAccount.of(publication, Optional.ofNullable(policy), now);
    }

    @Test
    void whatWasLearnedAndWhatThePolicyNeedsIsTold() {
        assertThat(account(ON, policy(false, "low"), NOW))
                .satisfiesExactly(
                        l -> assertThat(l)
                                .startsWith("Learned: from 2000 queries")
                                .endsWith("at floor 0.93 the choices save 40.0 % of the work"
                                        + " and keep 0.951 of the answer."),
                        l -> assertThat(l)
                                .contains("a saving of 10.0 % (12.0 % to turn on)")
                                .doesNotContain("shadow"),
                        l -> assertThat(l).isEqualTo("State: ON, " + ON.reason() + "."),
                        l -> assertThat(l)
                                .startsWith("Front ends: choose among 0 components until")
                                .endsWith("; 2.0 % of the queries are explored."));
    }

    @Test
    void whatKeepsItOffIsTold() {
        assertThat(account(ON, policy(true, "low"), NOW).get(1)).contains("the kill switch is on");
        assertThat(account(ON, policy(false, "other"), NOW).get(1)).contains("does not let this class ask fewer");
        assertThat(account(ON, policy(false), NOW).get(1)).contains("does not let this class ask fewer");
        assertThat(account(ON, null, NOW)).hasSize(3);
    }

    @Test
    void anEndedLeaseIsTold() {
        assertThat(account(ON, null, NOW + 60_000).get(2))
                .startsWith("Front ends: ask all components, because the lease ended at");
        FanOutPublication unknown = FanOutPublicationBuilder.builder(ON)
                .state(FanOutState.OFF)
                .saving(0)
                .quality(0)
                .build();
        assertThat(account(unknown, null, NOW).get(0)).endsWith("would save is not known.");
        assertThat(account(unknown, null, NOW).get(2)).isEqualTo("Front ends: ask all components.");
    }
}
