package io.kipimo.kafka;

import static io.kipimo.kafka.Entries.NOW;
import static org.assertj.core.api.Assertions.assertThat;

import io.kipimo.core.quality.join.PartitionTime;
import io.kipimo.schemas.codec.Codecs;
import io.kipimo.schemas.codec.EventScanner;
import io.kipimo.schemas.codec.LoggedEvent;
import io.kipimo.schemas.deadletter.DeadLetter;
import io.kipimo.schemas.quality.Items;
import io.kipimo.schemas.quality.PartialResultBuilder;
import io.kipimo.schemas.quality.Phase;
import io.kipimo.schemas.quality.SampledEvent;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.streaming.util.OneInputStreamOperatorTestHarness;
import org.apache.flink.types.Either;
import org.junit.jupiter.api.Test;

/** What an event states of its partition, as the job's source passes it on. */
class EventSplitterHarnessTest {
    private static final long OUT_OF_ORDER = 2_000;
    private static final long IDLE = 10_000;

    private static OneInputStreamOperatorTestHarness<Either<DeadLetter, LoggedEvent>, LoggedEvent> harness()
            throws Exception {
        return new OneInputStreamOperatorTestHarness<>(
                new EventSplitter(5, new PartitionTime.Tolerance(OUT_OF_ORDER, IDLE)));
    }

    private static LoggedEvent event(int partition, long completedAtMillis, long appendedAtMillis) throws Exception {
        LoggedEvent event = new EventScanner()
                .partial(
                        Codecs.PARTIAL_RESULT.encode(PartialResultBuilder.builder()
                                .service("shop")
                                .queryId("q")
                                .component("c")
                                .server("")
                                .phase(Phase.ONLINE)
                                .completedAtMillis(completedAtMillis)
                                .items(Items.NONE)
                                .build()),
                        partition,
                        0);
        event.place(SampledEvent.NO_LOG, appendedAtMillis, true);
        return event;
    }

    private static LoggedEvent pass(
            OneInputStreamOperatorTestHarness<Either<DeadLetter, LoggedEvent>, LoggedEvent> to, LoggedEvent event)
            throws Exception {
        to.processElement(Either.Right(event), 0);
        return event;
    }

    private static void assertPlace(LoggedEvent event, long reachedMillis, long appendedMillis, boolean proven) {
        assertThat(event.watermarkMillis()).isEqualTo(reachedMillis - OUT_OF_ORDER - 1);
        assertThat(event.appendWatermarkMillis()).isEqualTo(appendedMillis - OUT_OF_ORDER - 1);
        assertThat(event.isProven()).isEqualTo(proven);
    }

    @Test
    void anEventStatesWhatItsPartitionHadReached() throws Exception {
        try (var harness = harness()) {
            harness.open();
            assertPlace(pass(harness, event(0, NOW, NOW + 10)), 0, NOW + 10, false);
            // Event time is past the beginning of the partition from here on.
            assertPlace(pass(harness, event(0, NOW + 20, NOW + 30)), NOW, NOW + 30, false);
            assertPlace(pass(harness, event(0, NOW - 500, NOW + 40)), NOW + 20, NOW + 40, true);
            // A clock that is ahead moves its partition to the append time only.
            assertPlace(pass(harness, event(0, NOW + 9_000, NOW + 50)), NOW + 20, NOW + 50, true);
            // A new leader's clock is behind.
            assertPlace(pass(harness, event(0, NOW + 60, NOW - 700)), NOW + 50, NOW + 50, true);
            // Another partition, and a silence.
            assertPlace(pass(harness, event(1, NOW, NOW + 60)), 0, NOW + 60, false);
            long later = NOW + 60 + IDLE;
            assertPlace(pass(harness, event(0, NOW + 70, later)), NOW + 50, later, false);
        }
    }

    @Test
    void itGoesOnAfterARestore() throws Exception {
        OperatorSubtaskState state;
        try (var harness = harness()) {
            harness.open();
            pass(harness, event(0, NOW, NOW));
            pass(harness, event(0, NOW + 100, NOW + 100));
            state = harness.snapshot(1, 1);
            pass(harness, event(0, NOW + 5_000, NOW + 5_000));
        }
        try (var restored = harness()) {
            restored.initializeState(state);
            restored.open();
            assertPlace(pass(restored, event(0, NOW + 200, NOW + 200)), NOW + 100, NOW + 200, true);
        }
    }
}
