package io.kipimo.operators.completeness;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.kipimo.core.quality.SampleMeasurements;
import io.kipimo.operators.KeyedState;
import io.kipimo.schemas.completeness.CompletenessModel;
import io.kipimo.schemas.quality.Measurement;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.streaming.api.operators.KeyedProcessOperator;
import org.apache.flink.streaming.util.AbstractStreamOperatorTestHarness;
import org.apache.flink.streaming.util.KeyedOneInputStreamOperatorTestHarness;
import org.junit.jupiter.api.Test;

/** A model at most every 10 s. */
class CompletenessHarnessTest {
    private static final int MAX_PARALLELISM = 128;
    private static final long START = 1_000_000;

    private static KeyedOneInputStreamOperatorTestHarness<String, Measurement, CompletenessModel> harness(
            int parallelism, int subtask) throws Exception {
        return new KeyedOneInputStreamOperatorTestHarness<>(
                new KeyedProcessOperator<>(new CompletenessFunction(10_000)),
                Measurement::scope,
                Types.STRING,
                MAX_PARALLELISM,
                parallelism,
                subtask);
    }

    @Test
    void aModelIsPublishedWhenSomethingWasLearnedAndForgottenAfterADay() throws Exception {
        try (var harness = harness(1, 0)) {
            harness.open();
            harness.processElement(SampleMeasurements.degraded(START, SampleMeasurements.late("slow", 0.25)), START);
            harness.processElement(
                    SampleMeasurements.degraded(START + 1, SampleMeasurements.late("slow", 0.75)), START);
            harness.processWatermark(START + 9_999);
            assertThat(harness.extractOutputValues()).isEmpty();

            harness.processWatermark(START + 60_000);
            assertThat(harness.extractOutputValues()).singleElement().satisfies(m -> {
                assertThat(m.service()).isEqualTo("shop");
                assertThat(m.queryClass()).isEqualTo("high");
                assertThat(m.losses().get(0).loss()).isCloseTo(0.5, within(1e-12));
            });

            harness.processElement(
                    SampleMeasurements.degraded(START + 60_000, SampleMeasurements.late("slow", 0.5)), START);
            assertThat(harness.numEventTimeTimers()).as("one at a time").isEqualTo(1);
            harness.processWatermark(START + 70_000 + CompletenessFunction.EXPIRY_MILLIS);
            assertThat(harness.extractOutputValues()).hasSize(2);
            assertThat(KeyedState.entries(harness)).as("state").isZero();
            assertThat(harness.numEventTimeTimers()).as("timers").isZero();
        }
    }

    @Test
    void ofCleanQueriesNothingIsLearnedAndNothingKept() throws Exception {
        try (var harness = harness(1, 0)) {
            harness.open();
            harness.processElement(SampleMeasurements.clean(START), START);

            assertThat(KeyedState.entries(harness)).isZero();
            assertThat(harness.numEventTimeTimers()).isZero();
        }
    }

    @Test
    void whatWasLearnedSurvivesASavepointAndRescaling() throws Exception {
        OperatorSubtaskState snapshot;
        try (var harness = harness(1, 0)) {
            harness.open();
            harness.processElement(SampleMeasurements.degraded(START, SampleMeasurements.late("slow", 0.25)), START);
            snapshot = harness.snapshot(1, 1);
        }
        List<CompletenessModel> models = new ArrayList<>();
        for (int subtask = 0; subtask < 3; subtask++) {
            try (var harness = harness(3, subtask)) {
                harness.setup();
                harness.initializeState(AbstractStreamOperatorTestHarness.repartitionOperatorState(
                        snapshot, MAX_PARALLELISM, 1, 3, subtask));
                harness.open();
                harness.processWatermark(START + 10_000);
                models.addAll(harness.extractOutputValues());
            }
        }
        assertThat(models)
                .singleElement()
                .extracting(CompletenessModel::queries)
                .isEqualTo(1L);
    }
}
