package io.kipimo.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.kipimo.operators.quality.LoggedObservation;
import io.kipimo.schemas.deadletter.DeadLetter;
import io.kipimo.schemas.deadletter.RejectionReason;
import io.kipimo.schemas.observation.Observation;
import org.apache.flink.streaming.api.operators.ProcessOperator;
import org.apache.flink.streaming.util.OneInputStreamOperatorTestHarness;
import org.apache.flink.types.Either;
import org.junit.jupiter.api.Test;

class SeparationHarnessTest {
    @Test
    void recordsGoOnAndDeadLettersAside() throws Exception {
        DeadLetter letter =
                new DeadLetter(
                        "t", 0, 1, RejectionReason.UNREADABLE, "", new byte[0], new byte[0], 1);
        OneInputStreamOperatorTestHarness<Either<DeadLetter, Observation>, Observation> harness =
                new OneInputStreamOperatorTestHarness<>(new ProcessOperator<>(new Separation<>()));
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
        var harness =
                new OneInputStreamOperatorTestHarness<
                        Either<DeadLetter, LoggedObservation>, LoggedObservation>(
                        new ProcessOperator<>(new ObservationSeparation()));
        harness.open();
        long second = Entries.NOW - Entries.NOW % 1_000;
        LoggedObservation seen = new LoggedObservation(Entries.observation(second), 3, 42);

        harness.processElement(Either.Right(seen), second + 400);
        harness.processElement(Either.Right(seen), second - 10_001);
        harness.processElement(Either.Right(seen), second - 10_002);

        assertThat(harness.extractOutputValues())
                .extracting(logged -> logged.observation().secondMillis())
                .containsExactly(second, second - 11_000, second - 12_000);
        assertThat(harness.extractOutputValues())
                .allSatisfy(
                        logged -> {
                            assertThat(logged.observation().at(second))
                                    .isEqualTo(seen.observation());
                            assertThat(logged.offset()).isEqualTo(42);
                        });
        harness.close();
    }
}
