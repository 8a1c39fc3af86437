package io.kipimo.sdk;

import static io.kipimo.sdk.SampleService.HIGH;
import static io.kipimo.sdk.SampleService.LOW;
import static io.kipimo.sdk.SampleService.NOW;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.kipimo.core.quality.fanout.model.ContributionLearner;
import io.kipimo.core.quality.fanout.model.FanOutChoice;
import io.kipimo.core.quality.fanout.model.FanOutChoice.Reason;
import io.kipimo.core.sampling.Exploration;
import io.kipimo.schemas.fanout.FanOutPublication;
import io.kipimo.schemas.fanout.FanOutPublicationBuilder;
import io.kipimo.schemas.fanout.FanOutState;
import io.kipimo.schemas.quality.Features;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class FanOutClientTest {
    private static final List<String> COMPONENTS = List.of("a", "b");

    /** Topic 1 has its answers in component a, topic 2 in b. */
    private static final Features TOPIC_1 = Features.of(1);

    private long now = NOW;
    private final FanOutClient client = new FanOutClient(SampleService.config(), () -> Instant.ofEpochMilli(now));

    static FanOutPublication publication(String service, String queryClass, long version) {
        ContributionLearner learner = new ContributionLearner(service, COMPONENTS, 1_024, 10_000);
        for (int i = 0; i < 2_000; i++) {
            boolean inA = i % 2 == 0;
            learner.learn(
                    new long[] {inA ? 1 : 2}, inA ? new double[] {1, 0} : new double[] {0, 1}, new double[] {1, 1});
        }
        return FanOutPublicationBuilder.builder()
                .service(service)
                .queryClass(queryClass)
                .version(version)
                .learnedAtMillis(NOW)
                .validUntilMillis(NOW + 60_000)
                .state(FanOutState.ON)
                .reason("saves work")
                .floor(0.9)
                .exploration(0.02)
                .model(Optional.of(learner.model(version, NOW).table()))
                .build();
    }

    /** An id that is not explored. */
    private static String plainId() {
        return Exploration.isExplored("q", 0.02) ? "r" : "q";
    }

    private FanOutChoice choose(String queryClass) {
        return client.choose(queryClass, plainId(), TOPIC_1, COMPONENTS);
    }

    @Test
    void withoutAPublicationAllAreAsked() {
        assertThat(choose(LOW)).isEqualTo(FanOutChoice.all(COMPONENTS, Reason.NOT_PUBLISHED));
        assertThat(client.explorationAt(NOW)).isZero();
        assertThatIllegalArgumentException().isThrownBy(() -> choose("lowest"));
    }

    @Test
    void aPublicationAppliesToItsClassUntilItsLeaseEnds() {
        client.offer(publication("search", LOW, 1));

        assertThat(choose(LOW).asked()).containsExactly("a");
        assertThat(choose(HIGH).reason()).isEqualTo(Reason.NOT_PUBLISHED);
        assertThat(client.explorationAt(NOW)).isEqualTo(0.02);

        now += 60_000;
        assertThat(choose(LOW).reason()).isEqualTo(Reason.EXPIRED);
        assertThat(client.explorationAt(now)).isZero();
        assertThat(client.reasons())
                .containsEntry(Reason.CHOSEN, 1L)
                .containsEntry(Reason.NOT_PUBLISHED, 1L)
                .containsEntry(Reason.EXPIRED, 1L)
                .containsEntry(Reason.SHADOW, 0L);
    }

    @Test
    void anOlderOneAndThoseOfOtherServicesAreIgnored() {
        client.offer(publication("search", LOW, 2));
        client.offer(FanOutPublicationBuilder.builder(publication("search", LOW, 1))
                .state(FanOutState.OFF)
                .model(Optional.empty())
                .build());
        client.offer(FanOutPublicationBuilder.builder(publication("shop", LOW, 9))
                .state(FanOutState.OFF)
                .model(Optional.empty())
                .build());
        client.offer(publication("search", "lowest", 9));

        assertThat(client.publication(LOW))
                .hasValueSatisfying(p -> assertThat(p.version()).isEqualTo(2));
        assertThat(choose(LOW).reason()).isEqualTo(Reason.CHOSEN);
    }

    @Test
    void offTakesEffectAndEndsExploration() {
        client.offer(publication("search", LOW, 1));
        client.offer(FanOutPublicationBuilder.builder(publication("search", LOW, 2))
                .state(FanOutState.OFF)
                .model(Optional.empty())
                .build());

        assertThat(choose(LOW)).isEqualTo(FanOutChoice.all(COMPONENTS, Reason.OFF));
        assertThat(client.explorationAt(NOW)).isZero();
    }

    @Test
    void recordsThatAreNoPublicationsAreCounted() {
        client.offer(publication("search", LOW, 1));
        client.unreadable();
        client.unreadable();

        assertThat(client.unreadablePublications()).isEqualTo(2);
        assertThat(choose(LOW).reason()).isEqualTo(Reason.CHOSEN);
    }
}
