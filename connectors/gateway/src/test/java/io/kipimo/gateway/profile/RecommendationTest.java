package io.kipimo.gateway.profile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class RecommendationTest {
    private static ProfileTrial trial(Set<String> memoized, double rate, int replayed, double unsampledMillis) {
        return ProfileTrialBuilder.builder()
                .memoized(memoized)
                .samplingRate(rate)
                .queries(1_000)
                .sampled(200)
                .whole(50)
                .replayed(replayed)
                .unsampledMillis(unsampledMillis)
                .sampledMillis(110)
                .baselineMillis(100)
                .build();
    }

    @Test
    void mostMatureExecutionsWithinTheSlowdownAllowed() {
        ProfileTrial slow = trial(Set.of("a", "b"), 0.4, 140, 120);
        ProfileTrial good = trial(Set.of("a", "b"), 0.2, 120, 106);
        ProfileTrial less = trial(Set.of("a"), 0.2, 90, 101);

        assertThat(Recommendation.of(List.of(slow, less, good), 0.07)).contains(good);
        assertThat(Recommendation.of(List.of(slow, less, good), 0.3)).contains(slow);
        assertThat(Recommendation.of(List.of(slow), 0.07)).isEmpty();
    }

    @Test
    void amongAsGoodOnesTheCheapest() {
        ProfileTrial dear = trial(Set.of("a", "b"), 0.4, 120, 100);
        ProfileTrial cheap = trial(Set.of("a", "b"), 0.2, 120, 100);
        ProfileTrial cheapest = trial(Set.of("a"), 0.2, 120, 100);

        assertThat(Recommendation.of(List.of(dear, cheap, cheapest), 0.07)).contains(cheapest);
    }

    @Test
    void whatBringsNothingOrSamplesAllIsJudgedByWhatIsKnown() {
        ProfileTrial nothing = ProfileTrialBuilder.builder()
                .memoized(Set.of())
                .samplingRate(0.2)
                .queries(1_000)
                .sampled(200)
                .unsampledMillis(100)
                .sampledMillis(100)
                .baselineMillis(100)
                .build();
        ProfileTrial all = ProfileTrialBuilder.builder()
                .memoized(Set.of("a"))
                .samplingRate(1)
                .queries(1_000)
                .sampled(1_000)
                .replayed(900)
                .unsampledMillis(Double.NaN)
                .sampledMillis(110)
                .baselineMillis(100)
                .build();

        assertThat(Recommendation.of(List.of(nothing), 0.07)).isEmpty();
        assertThat(Recommendation.of(List.of(nothing, all), 0.07)).contains(all);
    }

    @Test
    void figuresOfATrial() {
        ProfileTrial trial = trial(Set.of("a"), 0.2, 100, 105);

        assertThat(trial.maturePer100()).isEqualTo(15);
        assertThat(trial.replayedPer100()).isEqualTo(10);
        assertThat(trial.unmeasuredShare()).isEqualTo(0.25, within(1e-9));
        assertThat(trial.unsampledSlowdown()).isEqualTo(0.05, within(1e-9));
        assertThat(trial.sampledSlowdown()).isEqualTo(0.1, within(1e-9));
    }

    @Test
    void everyProblemOfTheSettingsIsNamed() {
        assertThatThrownBy(() -> new Profiler.Trial(List.of("search"), 0, 50, List.of(0.1, 2.0), -1))
                .hasMessageContaining("query is 'search'; allowed: a path")
                .hasMessageContaining("queries a second are 0.0")
                .hasMessageContaining("a trial takes 50 ms")
                .hasMessageContaining("sampling rate is 2.0")
                .hasMessageContaining("most slow-down is -1.0");
    }
}
