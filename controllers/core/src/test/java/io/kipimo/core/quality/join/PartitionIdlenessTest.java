package io.kipimo.core.quality.join;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class PartitionIdlenessTest {
    private static final long IDLE = 10_000;

    private final PartitionIdleness partition = new PartitionIdleness(IDLE, 0);

    /** The end of the log, and how far it is read. */
    private long end = 7;

    private long position = 7;
    private boolean isAnswered;
    private long nowMillis;

    @BeforeEach
    void theBrokerAnswers() {
        isAnswered = true;
    }

    /** Time passes, with a look every second. */
    private void pass(long millis) {
        for (long until = nowMillis + millis; nowMillis < until; nowMillis += 1_000) {
            partition.isIdle(position, nowMillis);
            if (partition.wantsEnd(nowMillis)) {
                partition.ask(nowMillis);
                if (isAnswered) {
                    partition.answer(end);
                } else {
                    partition.failToAnswer();
                }
            }
        }
    }

    private boolean isIdle() {
        return partition.isIdle(position, nowMillis);
    }

    @Test
    void aPartitionThatIsReadToItsEndIsIdleAfterItsSilence() {
        pass(IDLE - 1_000);
        assertThat(isIdle()).isFalse();
        pass(1_000);
        assertThat(isIdle()).isTrue();
        partition.use(nowMillis);
        assertThat(isIdle()).isFalse();
    }

    @Test
    void aPartitionWithUnreadRecordsIsNeverIdle() {
        position = 6;
        pass(100 * IDLE);
        assertThat(isIdle()).isFalse();
        position = 7;
        pass(2_000);
        assertThat(isIdle()).isTrue();
    }

    @Test
    void anIdlePartitionThatGetsRecordsWhichAreNotReadHoldsEventTimeAgain() {
        pass(2 * IDLE);
        assertThat(isIdle()).isTrue();
        end = 8;
        pass(PartitionIdleness.KNOWLEDGE_LASTS_MILLIS + 2_000);
        assertThat(isIdle()).isFalse();
        assertThat(partition.isSilent(nowMillis)).isTrue();
    }

    @Test
    void aPartitionWhoseEndIsUnknownIsNotIdle() {
        isAnswered = false;
        pass(10 * IDLE);
        assertThat(isIdle()).isFalse();
        isAnswered = true;
        pass(2_000);
        assertThat(isIdle()).isTrue();
        isAnswered = false;
        pass(PartitionIdleness.KNOWLEDGE_LASTS_MILLIS + 2_000);
        assertThat(isIdle()).isFalse();
    }

    @Test
    void aReaderThatDidNotRunKnowsNothing() {
        pass(2 * IDLE);
        nowMillis += IDLE;
        assertThat(isIdle()).isFalse();
    }

    @Test
    void aPartitionOfUnusableRecordsIsIdleIfItsReaderKeepsUp() {
        for (int second = 0; second < 60; second++) {
            end += 10;
            pass(1_000);
            position = end;
        }
        assertThat(isIdle()).isTrue();
        // Its reader falls behind by ten seconds.
        for (int second = 0; second < 60; second++) {
            end += 10;
            pass(1_000);
            position = end - 100;
        }
        assertThat(isIdle()).isFalse();
    }
}
