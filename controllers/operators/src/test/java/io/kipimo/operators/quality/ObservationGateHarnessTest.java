package io.kipimo.operators.quality;

import static org.assertj.core.api.Assertions.assertThat;

import io.kipimo.core.quality.SampleMeasurements;
import io.kipimo.core.quality.join.Events;
import io.kipimo.core.quality.window.ClassNames;
import io.kipimo.operators.policy.PolicyBook;
import io.kipimo.operators.types.Coder;
import io.kipimo.schemas.codec.Codecs;
import io.kipimo.schemas.deadletter.DeadLetter;
import io.kipimo.schemas.deadletter.RejectionReason;
import io.kipimo.schemas.observation.Observation;
import io.kipimo.schemas.policy.Policy;
import java.util.List;
import java.util.Map;
import org.apache.flink.core.memory.DataInputDeserializer;
import org.apache.flink.core.memory.DataOutputSerializer;
import org.apache.flink.streaming.api.operators.co.CoBroadcastWithNonKeyedOperator;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.streaming.util.BroadcastOperatorTestHarness;
import org.junit.jupiter.api.Test;

class ObservationGateHarnessTest {
    private static final long SECOND = 1_000_000;
    private static final byte[] KEY = {'a', 0, (byte) 0xff};

    private static BroadcastOperatorTestHarness<LoggedObservation, Policy, Observation> gate(Map<String, Policy> known)
            throws Exception {
        return new BroadcastOperatorTestHarness<>(
                new CoBroadcastWithNonKeyedOperator<>(new ObservationGate(known, "test."), List.of(PolicyBook.STATE)),
                1,
                1,
                0);
    }

    private static LoggedObservation logged(Observation seen) {
        return new LoggedObservation(seen, 3, 42, KEY);
    }

    private static Observation second() {
        return SampleMeasurements.second(SECOND, 50, 20);
    }

    @Test
    void whatAPolicyNamesGoesOnAsItCame() throws Exception {
        try (var gate = gate(Map.of("shop", Events.policy()))) {
            gate.open();
            gate.processElement(logged(second()), SECOND);
            assertThat(gate.extractOutputValues()).containsExactly(second());
            assertThat(gate.getSideOutput(ObservationGate.DEAD_LETTERS)).isNullOrEmpty();
        }
    }

    @Test
    void classesThatThePolicyDoesNotNameAreOne() throws Exception {
        try (var gate = gate(Map.of("shop", Events.policy()))) {
            gate.open();
            gate.processElement(logged(second().ofClass("invented-1")), SECOND);
            gate.processElement(logged(second().ofClass("invented-2")), SECOND);
            assertThat(gate.extractOutputValues())
                    .containsExactly(second().ofClass(ClassNames.OTHER), second().ofClass(ClassNames.OTHER));
        }
    }

    @Test
    void anObservationOfAServiceWhosePolicyWasRemovedIsNoDeadLetter() throws Exception {
        try (var gate = gate(Map.of("shop", Events.policy()))) {
            gate.open();
            gate.processBroadcastElement(PolicyBook.removal("shop"), 0);
            gate.processElement(logged(second()), SECOND);
            assertThat(gate.extractOutputValues()).isEmpty();
            assertThat(gate.getSideOutput(ObservationGate.DEAD_LETTERS)).isNullOrEmpty();
        }
    }

    @Test
    void anObservationOfAnUnknownServiceIsADeadLetterUntilItHasAPolicy() throws Exception {
        try (var gate = gate(Map.of())) {
            gate.open();
            gate.processElement(logged(second()), SECOND);
            assertThat(gate.extractOutputValues()).isEmpty();
            DeadLetter letter = gate.getSideOutput(ObservationGate.DEAD_LETTERS).stream()
                    .map(StreamRecord::getValue)
                    .toList()
                    .get(0);
            assertThat(letter.topic()).isEqualTo("test.observations");
            assertThat(letter.partition()).isEqualTo(3);
            assertThat(letter.offset()).isEqualTo(42);
            assertThat(letter.reason()).isEqualTo(RejectionReason.UNKNOWN_SERVICE);
            assertThat(letter.detail()).contains("service is 'shop'");
            assertThat(letter.key()).isEqualTo(KEY);
            assertThat(Codecs.OBSERVATION.decode(letter.payload())).isEqualTo(second());

            gate.processBroadcastElement(Events.policy(), SECOND);
            gate.processElement(logged(second()), SECOND);
            assertThat(gate.extractOutputValues()).containsExactly(second());
        }
    }

    @Test
    void observationsTravelWithTheirPlace() throws Exception {
        Coder<LoggedObservation> format = QualityFormats.LOGGED_OBSERVATION.coder();
        DataOutputSerializer out = new DataOutputSerializer(64);
        format.write(logged(second()), out);
        assertThat(format.read(new DataInputDeserializer(out.getCopyOfBuffer()), 1))
                .usingRecursiveComparison()
                .isEqualTo(logged(second()));
    }
}
