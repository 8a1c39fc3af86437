package io.kipimo.operators.quality;

import static org.assertj.core.api.Assertions.assertThat;

import io.kipimo.core.quality.window.ClassPane;
import io.kipimo.core.quality.window.PaneSums;
import io.kipimo.schemas.observation.Observation;
import io.kipimo.schemas.quality.Completeness;
import io.kipimo.schemas.quality.ComponentShare;
import io.kipimo.schemas.quality.Measurement;
import io.kipimo.schemas.quality.Outcome;
import io.kipimo.schemas.quality.Score;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.flink.api.common.serialization.SerializerConfigImpl;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.streaming.util.OneInputStreamOperatorTestHarness;
import org.apache.flink.types.Either;
import org.junit.jupiter.api.Test;

/** What becomes of measurements where they are made: low ends and sums. */
class MeasurementFlowHarnessTest {
    private static final long NOW = 1_000_050;

    private static Measurement measurement(Completeness completeness, double quality) {
        boolean complete = completeness == Completeness.COMPLETE;
        return Measurement.builder()
                .service("shop")
                .queryId("q")
                .queryClass(completeness == Completeness.ORPHAN ? "" : "high")
                .startedAtMillis(NOW - 100)
                .measuredAtMillis(NOW)
                .completeness(completeness)
                .degraded(true)
                .topK(4)
                .scores(
                        completeness == Completeness.ORPHAN
                                ? List.of()
                                : List.of(new Score("tpr@4", complete ? quality : 0, quality)))
                .components(List.of(new ComponentShare("a", Outcome.TIMED_OUT, 5, !complete, 1 - quality, 0.25)))
                .build();
    }

    @Test
    void whatWasLearnedOfLateComponentsOutlivesARestart() throws Exception {
        OperatorSubtaskState snapshot;
        long later = NOW + 60_000;
        try (var harness = BoundsHarness.alone()) {
            harness.open();
            harness.processElement(measurement(Completeness.EXPIRED, 0.8), later);
            assertThat(harness.extractOutputValues().get(0).scores().get(0).low())
                    .as("no history: everything may be lost")
                    .isZero();
            for (int i = 0; i < 19; i++) {
                harness.processElement(measurement(Completeness.COMPLETE, 0.5), later);
            }
            snapshot = harness.snapshot(1, 1);
        }
        try (var harness = BoundsHarness.alone()) {
            harness.initializeState(snapshot);
            harness.open();
            harness.processElement(measurement(Completeness.EXPIRED, 0.8), later);
            harness.processElement(measurement(Completeness.EXPIRED, 0.8), NOW);
            assertThat(harness.extractOutputValues())
                    .extracting(m -> m.scores().get(0).low())
                    .as("the second row is of before anything was learned")
                    .containsExactly(0.8 * 0.75, 0.0);
        }
    }

    /** Partitions of a hash modulo their number: if it doubles, each is split. */
    @Test
    void partitionsThatWereSplitGoOnWithWhatTheWholeOneHad() throws Exception {
        OperatorSubtaskState snapshot;
        try (var harness = new BoundsHarness(new HashPartitions(2), 128, 1, 0)) {
            harness.open();
            for (int i = 0; i < 200; i++) {
                harness.processElement(
                        measurement(Completeness.COMPLETE, 0.5).toBuilder()
                                .queryId("q" + i)
                                .build(),
                        NOW);
            }
            snapshot = harness.snapshot(1, 1);
        }
        assertThat(lowEndsAfter(snapshot, 2)).containsOnly(0.8 * 0.75);
        assertThat(lowEndsAfter(snapshot, 4)).containsOnly(0.8 * 0.75);
        assertThat(lowEndsAfter(snapshot, 3)).as("all queries are elsewhere").containsOnly(0.0);
    }

    private static Set<Double> lowEndsAfter(OperatorSubtaskState snapshot, int partitions) throws Exception {
        try (var harness = new BoundsHarness(new HashPartitions(partitions), 128, 1, 0)) {
            harness.initializeState(snapshot);
            harness.open();
            for (int i = 0; i < 200; i++) {
                harness.processElement(
                        measurement(Completeness.EXPIRED, 0.8).toBuilder()
                                .queryId("e" + i)
                                .build(),
                        NOW + 60_000);
            }
            return harness.extractOutputValues().stream()
                    .map(row -> row.scores().get(0).low())
                    .collect(Collectors.toSet());
        }
    }

    private static OneInputStreamOperatorTestHarness<Measurement, Either<ClassPane, Observation>> sums()
            throws Exception {
        var harness = new OneInputStreamOperatorTestHarness<>(new PaneSumsOperator());
        harness.setup(QualityWindowFunction.INPUT_TYPE.createSerializer(new SerializerConfigImpl()));
        harness.open();
        return harness;
    }

    @Test
    void measurementsAreSummedUpUntilEventTimeGoesOn() throws Exception {
        try (var harness = sums()) {
            harness.processElement(measurement(Completeness.COMPLETE, 0.5), NOW);
            harness.processElement(measurement(Completeness.EXPIRED, 0.75), NOW);
            harness.processElement(measurement(Completeness.ORPHAN, 0), NOW);
            assertThat(harness.extractOutputValues()).isEmpty();

            harness.processWatermark(NOW);
            List<ClassPane> panes =
                    harness.extractOutputValues().stream().map(Either::left).toList();
            assertThat(panes).extracting(p -> p.queryClass).containsExactlyInAnyOrder("high", PaneSums.UNKNOWN_CLASS);
            ClassPane high = panes.stream()
                    .filter(p -> p.queryClass.equals("high"))
                    .findAny()
                    .orElseThrow();
            assertThat(high.pane.startMillis).isEqualTo(1_000_000);
            assertThat(high.pane.samples).isEqualTo(2);
            assertThat(high.pane.expired).isEqualTo(1);
            assertThat(high.pane.metrics.get("tpr@4").all().sum()).isEqualTo(0.5);
            assertThat(high.pane.metrics.get("tpr@4").degradedHigh().sum()).isEqualTo(1.25);
            assertThat(high.pane.components.get("a").lostQuality()).isEqualTo(0.75);

            harness.processWatermark(NOW + 1);
            assertThat(harness.extractOutputValues()).as("each once").hasSize(2);
        }
    }

    @Test
    void nothingIsHeldBackFromACheckpointOrTheEnd() throws Exception {
        try (var harness = sums()) {
            harness.processElement(measurement(Completeness.COMPLETE, 0.5), NOW);
            harness.prepareSnapshotPreBarrier(1);
            assertThat(harness.extractOutputValues()).hasSize(1);

            harness.processElement(measurement(Completeness.COMPLETE, 0.5), NOW);
            harness.endInput();
            harness.getOneInputOperator().finish();
            assertThat(harness.extractOutputValues()).hasSize(2);
        }
    }
}
