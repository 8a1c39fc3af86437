package io.kipimo.core.quality.deadline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kipimo.core.sampling.ConsistentSampling;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ProfileBudgetTest {
    @Test
    void allQueriesWithinTheLimitAreProfiled() {
        ProfileBudget budget = new ProfileBudget(100);
        for (int second = 0; second < 10; second++) {
            assertThat(admitted(budget, second, 100)).hasSize(100);
        }
    }

    @Test
    void moreIsNeverProfiledAndTheShareIsSpreadOverTheSecond() {
        ProfileBudget budget = new ProfileBudget(100);
        admitted(budget, 0, 1000);
        for (int second = 1; second < 10; second++) {
            Set<Integer> admitted = admitted(budget, second, 1000);
            assertThat(admitted).hasSizeBetween(60, 100);
            assertThat(admitted).anyMatch(i -> i > 800);
        }
    }

    @Test
    void whoIsChosenAtASmallShareIsChosenAtALargerOne() {
        for (int i = 0; i < 1000; i++) {
            if (ProfileBudget.isChosen(randomness("query-" + i), 0.1)) {
                assertThat(ProfileBudget.isChosen(randomness("query-" + i), 0.3))
                        .isTrue();
            }
        }
    }

    @Test
    void theShareDoesNotDependOnTheSamplingRate() {
        int chosen = 0;
        int sampled = 0;
        java.util.Random random = new java.util.Random(4711);
        for (int i = 0; i < 20_000; i++) {
            // Trace ids that are sampled at 1/256: the upper bits of R are all ones.
            String id = String.format("%016xaaff%012x", random.nextLong() | 1, random.nextLong() >>> 16);
            sampled++;
            chosen += ProfileBudget.isChosen(randomness(id), 0.25) ? 1 : 0;
        }
        assertThat((double) chosen / sampled).isBetween(0.24, 0.26);
    }

    @Test
    void nothingIsAllowedToo() {
        assertThat(admitted(new ProfileBudget(0), 0, 10)).isEmpty();
        assertThatThrownBy(() -> new ProfileBudget(-1)).hasMessage("profiles a second are -1; allowed: at least 0");
    }

    private static Set<Integer> admitted(ProfileBudget budget, int second, int queries) {
        Set<Integer> admitted = new HashSet<>();
        for (int i = 0; i < queries; i++) {
            long now = second * 1000L + i * 1000L / queries;
            if (budget.admits(randomness("query-" + second + '-' + i), now)) {
                admitted.add(i);
            }
        }
        return admitted;
    }

    private static long randomness(String queryId) {
        return ConsistentSampling.randomness(queryId);
    }
}
