package io.kipimo.operators.quality;

import static io.kipimo.core.quality.join.Events.START;
import static org.assertj.core.api.Assertions.assertThat;

import io.kipimo.core.Effort;
import io.kipimo.core.quality.SampleMeasurements;
import io.kipimo.core.quality.join.Events;
import io.kipimo.core.quality.window.ClassNames;
import io.kipimo.core.quality.window.ClassPane;
import io.kipimo.operators.KeyedState;
import io.kipimo.operators.policy.PolicyBook;
import io.kipimo.schemas.codec.LoggedEvent;
import io.kipimo.schemas.observation.Observation;
import io.kipimo.schemas.policy.Policy;
import io.kipimo.schemas.quality.AnswerBuilder;
import io.kipimo.schemas.quality.AnswerKind;
import io.kipimo.schemas.quality.Items;
import io.kipimo.schemas.quality.Measurement;
import io.kipimo.schemas.quality.QualityWindow;
import io.kipimo.schemas.quality.WindowKind;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.flink.api.common.serialization.SerializerConfigImpl;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.streaming.api.operators.co.CoBroadcastWithKeyedOperator;
import org.apache.flink.streaming.api.operators.co.CoBroadcastWithNonKeyedOperator;
import org.apache.flink.streaming.util.BroadcastOperatorTestHarness;
import org.apache.flink.streaming.util.KeyedBroadcastOperatorTestHarness;
import org.apache.flink.streaming.util.OneInputStreamOperatorTestHarness;
import org.apache.flink.types.Either;
import org.junit.jupiter.api.Test;

/**
 * A known service reports many invented classes, in answers and in observations: from the join and the gate to the
 * windows.
 */
class InventedClassesHarnessTest {
    private static final int INVENTED = Effort.of(6_000, 60_000);
    private static final int HONEST = 500;
    private static final Map<String, Policy> KNOWN = Map.of("shop", Events.policy());
    private static final Duration BACK_STOP = Duration.ofMinutes(1);

    /** What came out of the windows, and what they hold. */
    private record Seen(List<QualityWindow> windows, int keys) {
        List<QualityWindow> of(String queryClass) {
            return windows.stream()
                    .filter(w -> w.queryClass().equals(queryClass))
                    .toList();
        }
    }

    @Test
    void theirStateIsThatOfOneClassAndTheHonestOnesAreMeasuredAsWithoutThem() throws Exception {
        Seen quiet = play(0);
        Seen attacked = play(INVENTED);

        assertThat(quiet.of("high")).isNotEmpty().isEqualTo(attacked.of("high"));
        assertThat(quiet.keys()).isEqualTo(1);
        assertThat(attacked.keys()).isEqualTo(2);
        assertThat(attacked.windows()).extracting(QualityWindow::queryClass).containsOnly("high", ClassNames.OTHER);
        assertThat(attacked.of(ClassNames.OTHER).stream()
                        .filter(w -> w.kind() == WindowKind.SLIDING)
                        .filter(w -> w.metric().equals("tpr@4"))
                        .findFirst()
                        .orElseThrow()
                        .samples())
                .isEqualTo(INVENTED);
    }

    private static Seen play(int invented) throws Exception {
        try (var join = join();
                var gate = gate();
                var sums = sums();
                var windows = windows()) {
            int every = Math.max(1, invented / HONEST);
            for (int i = 0; i < Math.max(invented, HONEST); i++) {
                if (i < invented) {
                    join.read(answer("evil-" + i, "invented-" + i), START);
                    gate.processElement(observation("invented-" + i), START);
                }
                if (i % every == 0 && i / every < HONEST) {
                    join.read(answer("honest-" + i / every, "high"), START);
                    gate.processElement(observation("high"), START);
                }
                for (Measurement measured : join.extractOutputValues()) {
                    sums.processElement(measured, START);
                }
                join.getOutput().clear();
                pass(sums.extractOutputValues(), windows);
                sums.getOutput().clear();
                for (Observation seen : gate.extractOutputValues()) {
                    windows.processElement(Either.Right(seen), START);
                }
                gate.getOutput().clear();
            }
            sums.processWatermark(START + 100);
            pass(sums.extractOutputValues(), windows);
            int keys = KeyedState.entries(windows);
            windows.processWatermark(START + 100_000);
            return new Seen(windows.extractOutputValues(), keys);
        }
    }

    private static void pass(
            List<Either<ClassPane, Observation>> panes,
            KeyedBroadcastOperatorTestHarness<String, Either<ClassPane, Observation>, Policy, QualityWindow> windows)
            throws Exception {
        for (Either<ClassPane, Observation> pane : panes) {
            windows.processElement(pane, START);
        }
    }

    private static JoinHarness join() throws Exception {
        JoinHarness join = JoinHarness.alone(KNOWN, BACK_STOP);
        join.open();
        return join;
    }

    private static BroadcastOperatorTestHarness<LoggedObservation, Policy, Observation> gate() throws Exception {
        var gate = new BroadcastOperatorTestHarness<LoggedObservation, Policy, Observation>(
                new CoBroadcastWithNonKeyedOperator<>(new ObservationGate(KNOWN, "test."), List.of(PolicyBook.STATE)),
                1,
                1,
                0);
        gate.open();
        return gate;
    }

    private static OneInputStreamOperatorTestHarness<Measurement, Either<ClassPane, Observation>> sums()
            throws Exception {
        var sums = new OneInputStreamOperatorTestHarness<>(new PaneSumsOperator());
        sums.setup(QualityWindowFunction.INPUT_TYPE.createSerializer(new SerializerConfigImpl()));
        sums.open();
        return sums;
    }

    private static KeyedBroadcastOperatorTestHarness<String, Either<ClassPane, Observation>, Policy, QualityWindow>
            windows() throws Exception {
        var windows =
                new KeyedBroadcastOperatorTestHarness<String, Either<ClassPane, Observation>, Policy, QualityWindow>(
                        new CoBroadcastWithKeyedOperator<>(new QualityWindowFunction(KNOWN), List.of(PolicyBook.STATE)),
                        QualityWindowFunction::key,
                        Types.STRING,
                        1,
                        1,
                        0);
        windows.open();
        windows.processBroadcastWatermark(Long.MAX_VALUE);
        return windows;
    }

    private static LoggedEvent answer(String query, String queryClass) {
        return Events.event(AnswerBuilder.builder()
                .service("shop")
                .queryId(query)
                .queryClass(queryClass)
                .kind(AnswerKind.ONLINE)
                .startedAtMillis(START)
                .answeredAtMillis(START + 30)
                .deadlineMillis(30)
                .invocations(List.of(Events.inTime("a")))
                .items(Items.NONE)
                .build());
    }

    private static LoggedObservation observation(String queryClass) {
        return new LoggedObservation(SampleMeasurements.second(START, 50, 20).ofClass(queryClass), 0, 0, new byte[0]);
    }
}
