package io.kipimo.core.quality.join;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class ContributionHistoryTest {
    private final ContributionHistory history = new ContributionHistory();

    @Test
    void aComponentGivesWhatItGaveInTheMeanAndEverythingAtFirst() {
        assertThat(history.usualContribution("a")).isEqualTo(1);

        history.learn("a", 0.1);
        history.learn("a", 0.4);

        assertThat(history.usualContribution("a")).isCloseTo(0.25, within(1e-12));
    }
}
