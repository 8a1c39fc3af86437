package io.kipimo.operators.batch;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.apache.flink.api.common.typeutils.base.LongSerializer;
import org.apache.flink.streaming.api.watermark.Watermark;
import org.apache.flink.streaming.util.OneInputStreamOperatorTestHarness;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class MiniBatchOperatorHarnessTest {
    private OneInputStreamOperatorTestHarness<Long, Long> harness;
    private long sent;

    @BeforeEach
    void open() throws Exception {
        harness = new OneInputStreamOperatorTestHarness<>(new MiniBatchOperator<>(), LongSerializer.INSTANCE);
        harness.open();
    }

    @AfterEach
    void close() throws Exception {
        harness.close();
    }

    private void send(int perMilli, int millis) throws Exception {
        for (int i = 0; i < millis; i++) {
            harness.setProcessingTime(harness.getProcessingTime() + 1);
            for (int j = 0; j < perMilli; j++) {
                harness.processElement(sent, sent);
                sent++;
            }
        }
    }

    private List<Long> received() {
        return harness.extractOutputValues();
    }

    @Test
    void aSlowStreamIsNotDelayed() throws Exception {
        for (int i = 0; i < 2_000; i++) {
            send(5, 1);
            assertThat(received()).hasSize((int) sent);
        }
    }

    @Test
    void aFastStreamIsHeldForTwentyMillisecondsAtMost() throws Exception {
        send(100, 40);
        int before = received().size();
        harness.setProcessingTime(harness.getProcessingTime() + MiniBatchOperator.MOST_HOLD_MILLIS);

        assertThat(before).isLessThan((int) sent);
        assertThat(received()).hasSize((int) sent);
    }

    @Test
    void aStreamThatBecomesSlowIsNotDelayedAnyMore() throws Exception {
        send(100, 40);
        send(1, 100);
        for (int i = 0; i < 100; i++) {
            send(1, 1);
            assertThat(received()).hasSize((int) sent);
        }
    }

    @Test
    void watermarksCheckpointsAndTheEndFlush() throws Exception {
        send(100, 45);
        assertThat(received()).hasSizeLessThan((int) sent);
        harness.processWatermark(new Watermark(sent));
        assertThat(received()).hasSize((int) sent);

        send(100, 5);
        assertThat(received()).hasSizeLessThan((int) sent);
        harness.prepareSnapshotPreBarrier(1);
        assertThat(received()).hasSize((int) sent);

        send(100, 5);
        assertThat(received()).hasSizeLessThan((int) sent);
        harness.endInput();
        harness.getOneInputOperator().finish();
        assertThat(received()).hasSize((int) sent);
    }

    @Test
    void everyRecordPassesOnceInOrder() throws Exception {
        SplittableRandom random = new SplittableRandom(7);
        for (int i = 0; i < 40; i++) {
            send(random.nextInt(120), 1 + random.nextInt(30));
            if (random.nextInt(4) == 0) {
                harness.processWatermark(new Watermark(sent));
            }
        }
        harness.getOneInputOperator().finish();

        assertThat(received())
                .containsExactlyElementsOf(LongStream.range(0, sent).boxed().toList());
    }

    @Test
    void theHoldTimeGrowsWithTheRate() {
        assertThat(MiniBatchOperator.holdMillis(0)).isZero();
        assertThat(MiniBatchOperator.holdMillis(MiniBatchOperator.LEAST_PER_SECOND))
                .isZero();
        assertThat(MiniBatchOperator.holdMillis(24_000)).isEqualTo(10);
        assertThat(MiniBatchOperator.holdMillis(MiniBatchOperator.MOST_PER_SECOND))
                .isEqualTo(20);
        assertThat(MiniBatchOperator.holdMillis(1e9)).isEqualTo(20);
    }
}
