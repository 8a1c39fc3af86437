package io.kipimo.labs.social.graph;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ActionMixTest {
    @ParameterizedTest
    @CsvSource({
        "very-low, 0.001, true",
        "low, 0.01, true",
        "high, 0.1, true",
        "bg-very-low, 0.001, false",
        "bg-low, 0.01, false",
        "bg-high, 0.1, false",
        "bg-symmetric-very-low, 0.001, true",
        "bg-symmetric-low, 0.01, true",
        "bg-symmetric-high, 0.1, true"
    })
    void namedOnesHaveTheirShareOfWrites(String name, double writes, boolean symmetric) {
        ActionMix mix = ActionMix.parse(name);
        assertThat(mix.writes()).isCloseTo(writes, within(1e-12));
        assertThat(mix.isSymmetric()).isEqualTo(symmetric);
        assertThat(mix.name()).isEqualTo(name);
    }

    @Test
    void everyActionIsInOurs() {
        for (String name : new String[] {"very-low", "low", "high"}) {
            assertThat(SocialAction.values())
                    .allMatch(action -> ActionMix.parse(name).share(action) > 0);
        }
    }

    /** BG's workloads/HighUpdateActions. */
    @Test
    void highIsBgs() {
        ActionMix mix = ActionMix.parse("bg-high");
        assertThat(Arrays.stream(SocialAction.values()).mapToDouble(mix::share))
                .usingElementComparator((a, b) -> Math.abs(a - b) < 1e-12 ? 0 : 1)
                .containsExactly(0.35, 0.05, 0.05, 0.35, 0.1, 0.02, 0.02, 0.03, 0.03, 0.0, 0.0);
    }

    @Test
    void actionsComeByTheirShares() {
        ActionMix mix = ActionMix.parse("high");
        SplittableRandom random = new SplittableRandom(3);
        int[] counts = new int[SocialAction.values().length];
        int draws = 200_000;
        for (int i = 0; i < draws; i++) {
            counts[mix.at(random.nextDouble()).ordinal()]++;
        }
        for (SocialAction action : SocialAction.values()) {
            assertThat(counts[action.ordinal()] / (double) draws)
                    .as(action.key())
                    .isCloseTo(mix.share(action), within(0.005));
        }
    }

    @Test
    void sharesMayBeGiven() {
        ActionMix mix = ActionMix.parse("view-profile=0.9,post-comment=0.05,delete-comment=0.05");
        assertThat(mix.isSymmetric()).isTrue();
        assertThat(mix.share(SocialAction.POST_COMMENT)).isEqualTo(0.05);
    }

    @Test
    void refusalsNameWhatIsAllowed() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ActionMix.parse("medium"))
                .withMessageContaining("mix is 'medium'; allowed: very-low, low, high");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ActionMix.parse("view-profile=0.9"))
                .withMessageContaining("shares add up to 0.9");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ActionMix.parse("poke=1"))
                .withMessageContaining("action is 'poke'; allowed: view-profile");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ActionMix.parse("view-profile=2,invite=-1"))
                .withMessageContaining("view-profile is 2.0; allowed: 0..1");
    }
}
