package io.kipimo.core.quality.fanout.model;

import static org.assertj.core.api.Assertions.assertThat;

import io.kipimo.schemas.codec.Codecs;
import io.kipimo.schemas.fanout.FanOutPublication;
import io.kipimo.schemas.fanout.FanOutState;
import io.kipimo.schemas.field.ServiceClass;
import io.kipimo.schemas.policy.ClassPolicy;
import io.kipimo.schemas.policy.FanOutPolicy;
import io.kipimo.schemas.policy.Policy;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class FanOutPublisherTest {
    private static final ServiceClass LOW = new ServiceClass("search", "low");
    private static final long START = 1_764_000_000_000L;
    private static final long MINUTE = 60_000;

    /** Topics keep 0.9 of their answers in one of four components. */
    private static final FanOutPolicy FAN_OUT = FanOutPolicy.builder()
            .classes(List.of("low"))
            .floor(0.85)
            .shadow(false)
            .build();

    private static Policy policy(FanOutPolicy fanOut) {
        return Policy.builder()
                .service("search")
                .metrics(List.of("tpr@20"))
                .classes(
                        List.of(ClassPolicy.builder().name("low").objective(0.5).build()))
                .fanOut(Optional.of(fanOut))
                .build();
    }

    private static Optional<FanOutPublication> next(
            FanOutPublication last, ContributionLearner learner, Policy policy, long at) {
        return FanOutPublisher.next(Optional.ofNullable(last), Optional.ofNullable(learner), policy, LOW, 30_000, at);
    }

    private static FanOutPublication first(ContributionLearner learner, FanOutPolicy fanOut) {
        return next(null, learner, policy(fanOut), START).orElseThrow();
    }

    @Test
    void aModelThatSavesWorkIsPublishedWithItsReason() throws Exception {
        FanOutPublication first = first(Topics.learned(6_000), FAN_OUT);

        assertThat(first.state()).isEqualTo(FanOutState.ON);
        assertThat(first.reason()).matches("saves \\d+ % of the work at floor 0.85");
        assertThat(first.saving()).isBetween(0.3, 0.75);
        assertThat(first.quality()).isBetween(0.85, 1.0);
        assertThat(first.validUntilMillis()).isEqualTo(START + 600_000);
        assertThat(first.model().orElseThrow().components()).isEqualTo(Topics.COMPONENTS);
        assertThat(Codecs.FAN_OUT_PUBLICATION.decode(Codecs.FAN_OUT_PUBLICATION.encode(first)))
                .usingRecursiveComparison()
                .isEqualTo(first);
        assertThat(first(Topics.learned(6_000), FAN_OUT.toBuilder().shadow(true).build())
                        .state())
                .isEqualTo(FanOutState.SHADOW);
    }

    @Test
    void whereAllContributeAlikeItIsOff() {
        FanOutPublication first =
                first(Topics.alike(6_000), FAN_OUT.toBuilder().floor(0.93).build());

        assertThat(first.state()).isEqualTo(FanOutState.OFF);
        assertThat(first.reason()).startsWith("nothing to gain: saves 0 % of the work");
        assertThat(first.model()).isEmpty();
    }

    @Test
    void tooFewQueriesOrNoneAreNotEnough() {
        assertThat(first(Topics.learned(300), FAN_OUT).reason()).isEqualTo("learned from 300 queries; needed: 500");
        assertThat(first(null, FAN_OUT).reason()).isEqualTo("no query was learned; answers must state features");
        assertThat(first(null, FAN_OUT).state()).isEqualTo(FanOutState.OFF);
    }

    @Test
    void otherComponentsTurnItOff() {
        FanOutPublication first = first(Topics.learned(6_000), FAN_OUT);
        ContributionLearner other = new ContributionLearner("search", List.of("a", "b"), 1024, 10_000);

        FanOutPublication off =
                next(first, other, policy(FAN_OUT), START + MINUTE).orElseThrow();

        assertThat(off.state()).isEqualTo(FanOutState.OFF);
        assertThat(off.reason()).isEqualTo("the components have changed; the model begins anew");
        assertThat(off.version()).isGreaterThan(first.version());
    }

    @Test
    void aClassThatThePolicyDoesNotNameGetsNothingOrIsTurnedOffOnce() {
        ContributionLearner learner = Topics.learned(6_000);
        Policy others = policy(FAN_OUT.toBuilder().classes(List.of("high")).build());
        assertThat(next(null, learner, others, START)).isEmpty();

        FanOutPublication on = first(learner, FAN_OUT);
        for (Policy without : List.of(
                others, others.withFanOut(Optional.empty()), policy(FAN_OUT).withKillSwitch(true))) {
            FanOutPublication off = next(on, learner, without, START + 1).orElseThrow();
            assertThat(off.state()).isEqualTo(FanOutState.OFF);
            assertThat(next(off, learner, without, START + MINUTE)).isEmpty();
        }
    }

    @Test
    void itIsRepublishedWhenItHasLearnedEnoughOrBeforeTheLeaseEnds() {
        ContributionLearner learner = Topics.learned(6_000);
        FanOutPublication first = first(learner, FAN_OUT);
        assertThat(next(first, learner, policy(FAN_OUT), START + 2 * MINUTE)).isEmpty();
        assertThat(next(first, learner, policy(FAN_OUT), START + 5 * MINUTE))
                .as("a model that learns nothing is not renewed")
                .isEmpty();

        Topics.teach(learner, 10, 8);
        assertThat(next(first, learner, policy(FAN_OUT), START + 2 * MINUTE)).isEmpty();
        assertThat(next(first, learner, policy(FAN_OUT), START + 5 * MINUTE))
                .as("half of the lease is over")
                .isPresent();

        Topics.teach(learner, 290, 9);
        assertThat(next(first, learner, policy(FAN_OUT), START + MINUTE / 2)).isEmpty();
        FanOutPublication second =
                next(first, learner, policy(FAN_OUT), START + MINUTE).orElseThrow();
        assertThat(second.queries()).isEqualTo(6_300);
        assertThat(second.version()).isGreaterThan(first.version());
    }

    @Test
    void aChangedSettingIsPublishedAtOnce() {
        ContributionLearner learner = Topics.learned(6_000);
        FanOutPublication first = first(learner, FAN_OUT);

        for (FanOutPolicy other : List.of(
                FAN_OUT.toBuilder().floor(0.8).build(),
                FAN_OUT.toBuilder().price(1).build(),
                FAN_OUT.toBuilder().exploration(0.1).build(),
                FAN_OUT.toBuilder().shadow(true).build())) {
            assertThat(next(first, learner, policy(other), START + 1)).isPresent();
        }
    }

    /** The minimum is between what it needs to turn on and what it needs to stay on. */
    @Test
    void itDoesNotFlapAtTheMinimum() {
        ContributionLearner learner = Topics.learned(6_000);
        FanOutPublication on = first(learner, FAN_OUT);
        Policy scarce =
                policy(FAN_OUT.toBuilder().minimumSaving(on.saving() / 1.1).build());

        FanOutPublication off = next(null, learner, scarce, START).orElseThrow();
        assertThat(off.state()).isEqualTo(FanOutState.OFF);
        assertThat(off.reason()).startsWith("nothing to gain: saves");
        Topics.teach(learner, 1, 8);
        FanOutPublication still = next(on, learner, scarce, START + 5 * MINUTE).orElseThrow();
        assertThat(still.state()).isEqualTo(FanOutState.ON);
    }

    @Test
    void aLeaseOutlastsThreeSlides() {
        FanOutPublication first = FanOutPublisher.next(
                        Optional.empty(),
                        Optional.of(Topics.learned(6_000)),
                        policy(FAN_OUT.toBuilder().leaseMillis(1_000).build()),
                        LOW,
                        30_000,
                        START)
                .orElseThrow();

        assertThat(first.validUntilMillis()).isEqualTo(START + 90_000);
    }
}
