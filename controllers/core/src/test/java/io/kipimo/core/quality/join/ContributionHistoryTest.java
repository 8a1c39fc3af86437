package io.kipimo.core.quality.join;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class ContributionHistoryTest {
    private final ContributionHistory history = new ContributionHistory();

    @Test
    void aContributionIsOneAtFirstAndThenTheMean() {
        assertThat(history.usualContribution("a")).isEqualTo(1);

        history.learn("a", 0.1);
        history.learn("a", 0.4);

        assertThat(history.usualContribution("a")).isCloseTo(0.25, within(1e-12));
    }

    @Test
    void inventedComponentsDoNotFillTheState() {
        history.learn("known", 0.5);
        for (int i = 0; i < 3 * ComponentNames.MOST_COMPONENTS; i++) {
            history.learn("invented-" + i, 0.25);
        }
        history.learn("known", 0.5);
        history.learn("new", 0.25);

        assertThat(history.seen).hasSize(ComponentNames.MOST_COMPONENTS);
        assertThat(history.meanContribution).hasSize(ComponentNames.MOST_COMPONENTS);
        assertThat(history.usualContribution("known")).isEqualTo(0.5);
        assertThat(history.usualContribution("new"))
                .as("nothing learned: everything")
                .isEqualTo(1);
    }
}
