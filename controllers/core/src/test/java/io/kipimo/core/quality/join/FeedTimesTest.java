package io.kipimo.core.quality.join;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class FeedTimesTest {
    private final FeedTimes feeds = new FeedTimes(2);

    @Test
    void theFeedThatHasComeLeastFarHoldsEventTimeUnlessItIsIdle() {
        feeds.update(0, 100, false);
        assertThat(feeds.reachedMillis()).as("the other has said nothing").isEqualTo(Long.MIN_VALUE);
        feeds.update(1, 70, false);
        assertThat(feeds.reachedMillis()).isEqualTo(70);
        feeds.update(1, 70, true);
        assertThat(feeds.reachedMillis()).isEqualTo(100);
    }

    @Test
    void aFeedThatIsNoLongerIdleHoldsWhateverTheOthersHaveReachedMeanwhile() {
        feeds.update(1, 70, true);
        feeds.update(0, 200, false);
        feeds.update(1, 70, false);
        feeds.update(0, 300, false);
        assertThat(feeds.reachedMillis()).isEqualTo(70);
    }

    @Test
    void theyAreIdleWhenAllAre() {
        feeds.update(0, 100, true);
        assertThat(feeds.areIdle()).isFalse();
        feeds.update(1, Long.MIN_VALUE, true);
        assertThat(feeds.areIdle()).isTrue();
        assertThat(feeds.reachedMillis()).isEqualTo(Long.MIN_VALUE);
    }
}
