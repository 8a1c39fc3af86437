package io.kipimo.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.kipimo.operators.quality.LoggedObservation;
import io.kipimo.schemas.deadletter.DeadLetter;
import io.kipimo.schemas.deadletter.RejectionReason;
import io.kipimo.schemas.observation.Observation;
import java.util.List;
import org.apache.flink.runtime.io.network.partition.MockResultPartitionWriter;
import org.apache.flink.runtime.operators.testutils.MockEnvironment;
import org.apache.flink.streaming.runtime.watermarkstatus.WatermarkStatus;
import org.apache.flink.streaming.util.OneInputStreamOperatorTestHarness;
import org.apache.flink.types.Either;
import org.junit.jupiter.api.Test;

class SeparationHarnessTest {
    @Test
    void recordsGoOnAndDeadLettersAside() throws Exception {
        DeadLetter letter = new DeadLetter("t", 0, 1, RejectionReason.UNREADABLE, "", new byte[0], new byte[0], 1);
        OneInputStreamOperatorTestHarness<Either<DeadLetter, Observation>, Observation> harness =
                new OneInputStreamOperatorTestHarness<>(new DeadLetterSplitter<>(5));
        harness.open();
        harness.processElement(Either.Right(Entries.observation(Entries.NOW)), 1);
        harness.processElement(Either.Left(letter), 2);
        assertThat(harness.extractOutputValues()).containsExactly(Entries.observation(Entries.NOW));
        assertThat(harness.getSideOutput(KafkaSources.DEAD_LETTERS))
                .extracting(r -> r.getValue().offset())
                .containsExactly(1L);
        harness.close();
    }

    @Test
    void anObservationFromTheFutureCountsAsOfTheLastSecondThatHadEnded() throws Exception {
        var harness = new OneInputStreamOperatorTestHarness<Either<DeadLetter, LoggedObservation>, LoggedObservation>(
                new ObservationSplitter(5));
        harness.open();
        long second = Entries.NOW - Entries.NOW % 1_000;
        LoggedObservation seen = new LoggedObservation(Entries.observation(second), 3, 42, new byte[0]);

        harness.processElement(Either.Right(seen), second + 400);
        harness.processElement(Either.Right(seen), second - 10_001);
        harness.processElement(Either.Right(seen), second - 10_002);

        assertThat(harness.extractOutputValues())
                .extracting(logged -> logged.observation().secondMillis())
                .containsExactly(second, second - 11_000, second - 12_000);
        assertThat(harness.extractOutputValues()).allSatisfy(logged -> {
            assertThat(logged.observation().at(second)).isEqualTo(seen.observation());
            assertThat(logged.offset()).isEqualTo(42);
        });
        harness.close();
    }

    /** Counts flushes. */
    private static final class Output extends MockResultPartitionWriter {
        private int flushes;

        @Override
        public void flushAll() {
            flushes++;
        }
    }

    private static OneInputStreamOperatorTestHarness<Either<DeadLetter, Observation>, Observation> writingTo(
            List<Output> outputs, long flushAfterMillis) throws Exception {
        MockEnvironment environment = MockEnvironment.builder().build();
        environment.addOutputs(List.copyOf(outputs));
        OneInputStreamOperatorTestHarness<Either<DeadLetter, Observation>, Observation> harness =
                new OneInputStreamOperatorTestHarness<>(new DeadLetterSplitter<>(flushAfterMillis), environment);
        harness.open();
        return harness;
    }

    @Test
    void outputIsFlushedOnceSoonAndNoTimerRunsWithoutRecords() throws Exception {
        List<Output> outputs = List.of(new Output(), new Output());
        try (var harness = writingTo(outputs, 5)) {
            harness.setProcessingTime(1_000);
            assertThat(harness.getProcessingTimeService().getNumActiveTimers()).isZero();
            harness.processElement(Either.Right(Entries.observation(Entries.NOW)), 1);
            harness.processElement(Either.Right(Entries.observation(Entries.NOW)), 1);
            harness.setProcessingTime(1_004);
            assertThat(outputs).extracting(output -> output.flushes).containsExactly(0, 0);
            harness.setProcessingTime(1_005);
            assertThat(outputs).extracting(output -> output.flushes).containsExactly(1, 1);
            assertThat(harness.getProcessingTimeService().getNumActiveTimers()).isZero();
            harness.setProcessingTime(100_000);
            assertThat(outputs).extracting(output -> output.flushes).containsExactly(1, 1);
            // The operator forwards watermarks and idleness, too.
            harness.processWatermark(7);
            harness.setProcessingTime(200_000);
            harness.processWatermarkStatus(WatermarkStatus.IDLE);
            harness.setProcessingTime(300_000);
            assertThat(outputs).extracting(output -> output.flushes).containsExactly(3, 3);
        }
    }

    @Test
    void whereFlinkFlushesNoTimerIsSet() throws Exception {
        try (var harness = writingTo(List.of(new Output()), 0)) {
            harness.processElement(Either.Right(Entries.observation(Entries.NOW)), 1);
            assertThat(harness.getProcessingTimeService().getNumActiveTimers()).isZero();
        }
    }
}
