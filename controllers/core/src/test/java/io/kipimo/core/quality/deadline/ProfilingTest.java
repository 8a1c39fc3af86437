package io.kipimo.core.quality.deadline;

import static io.kipimo.core.quality.deadline.Profiles.inTime;
import static io.kipimo.core.quality.deadline.Profiles.invokedAfter;
import static io.kipimo.core.quality.deadline.Profiles.late;
import static io.kipimo.core.quality.deadline.Profiles.missing;
import static io.kipimo.core.quality.deadline.Profiles.profile;
import static io.kipimo.core.quality.deadline.Profiles.subject;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.kipimo.core.quality.join.QualitySettings;
import io.kipimo.schemas.policy.MergeKind;
import io.kipimo.schemas.policy.MergePolicy;
import io.kipimo.schemas.quality.Features;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ProfilingTest {
    @Test
    void everyResultIsAStepOfTheQuality() {
        QueryProfile profile = profile(late("c", 50, 4), inTime("b", 20, 2), inTime("a", 10, 1, 3));

        assertThat(profile.completedMicros()).containsExactly(10_000, 20_000, 50_000);
        assertThat(profile.qualities()).containsExactly(0, 0.5, 0.75, 1);
        assertThat(profile.qualityAt(9.999)).isZero();
        assertThat(profile.qualityAt(10)).isEqualTo(0.5);
        assertThat(profile.quality()).isEqualTo(0.75);
        assertThat(profile.qualityAt(50)).isEqualTo(1);
        assertThat(profile.degraded()).isTrue();
        assertThat(profile.isComplete()).isTrue();
    }

    @Test
    void aComponentsQualitiesAreThoseOfTheAnswerWithAndWithoutIt() {
        QueryProfile profile = profile(inTime("a", 10, 1, 3), inTime("b", 20, 2), late("c", 50, 4));

        assertThat(profile.components())
                .extracting(
                        ComponentProfile::component, ComponentProfile::qualityWith, ComponentProfile::qualityWithout)
                .containsExactly(
                        org.assertj.core.groups.Tuple.tuple("a", 0.75, 0.25),
                        org.assertj.core.groups.Tuple.tuple("b", 0.75, 0.5),
                        org.assertj.core.groups.Tuple.tuple("c", 1.0, 0.75));
    }

    @Test
    void missingResultsChangeNothingAndAreNamed() {
        QueryProfile profile = profile(inTime("a", 10, 1, 2), missing("b"));

        assertThat(profile.qualities()).containsExactly(0, 1);
        assertThat(profile.isComplete()).isFalse();
        assertThat(profile.degraded()).isTrue();
        assertThat(profile.components())
                .filteredOn(ComponentProfile::missing)
                .singleElement()
                .satisfies(b -> {
                    assertThat(b.component()).isEqualTo("b");
                    assertThat(b.qualityWith()).isEqualTo(b.qualityWithout());
                });
    }

    @Test
    void theOutcomeOfAResultOverridesItsClock() {
        QueryProfile profile = profile(inTime("a", 30.4, 1, 2), late("b", 29.8, 3, 4));

        assertThat(profile.completedMicros()).containsExactly(30_000, 30_001);
        assertThat(profile.quality()).isEqualTo(0.5);
    }

    @Test
    void aDeadlineCutsByTheTimeSinceTheQuerysStart() {
        QueryProfile profile = profile(invokedAfter(6, inTime("a", 3, 1, 2)), inTime("b", 5, 3, 4));

        assertThat(profile.completedMicros()).containsExactly(5_000, 9_000);
        assertThat(profile.qualityAt(8)).as("invoked after 6 ms, took 3").isEqualTo(0.5);
        assertThat(profile.qualityAt(9)).isEqualTo(1);
        assertThat(profile.components())
                .extracting(ComponentProfile::completedMicros, ComponentProfile::latencyMicros)
                .containsExactly(
                        org.assertj.core.groups.Tuple.tuple(5_000L, 5_000L),
                        org.assertj.core.groups.Tuple.tuple(9_000L, 3_000L));
    }

    @Test
    void aQueryThatInvokedNothingMissedNothing() {
        QueryProfile profile = profile();

        assertThat(profile.qualities()).containsExactly(1);
        assertThat(profile.degraded()).isFalse();
    }

    @Test
    void textsAreMergedAsInTheJoin() {
        QualitySettings first = Profiles.settings(new MergePolicy(MergeKind.PREFERRED, List.of("b", "a"), Map.of()));

        QueryProfile profile = Profiling.profile(subject(inTime("a", 10, 1, 2), late("b", 40, 2, 3)), first);

        // The mature answer is the preferred component's: of its two items, the online answer has
        // item 2.
        assertThat(profile.quality()).isCloseTo(0.5, within(1e-12));
        assertThat(profile.qualityAt(40)).isEqualTo(1);
    }

    @Test
    void aDeadlineThatIsNoneIsRefused() {
        ProfileSubject none = new ProfileSubject("s", "c", 1, 1, 0, 0, List.of(), Features.NONE, 0);
        assertThatThrownBy(() -> Profiling.profile(none, Profiles.SETTINGS))
                .hasMessage("deadline is 0 ms; allowed: at least 1");
    }
}
