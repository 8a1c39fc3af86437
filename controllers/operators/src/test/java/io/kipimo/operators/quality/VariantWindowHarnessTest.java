package io.kipimo.operators.quality;

import static io.kipimo.core.quality.SampleMeasurements.clean;
import static io.kipimo.core.quality.SampleMeasurements.degraded;
import static io.kipimo.core.quality.SampleMeasurements.late;
import static io.kipimo.core.quality.SampleMeasurements.second;
import static io.kipimo.core.quality.SampleMeasurements.sums;
import static io.kipimo.core.quality.join.Events.START;
import static org.assertj.core.api.Assertions.assertThat;

import io.kipimo.core.quality.join.Events;
import io.kipimo.core.quality.window.ClassPane;
import io.kipimo.operators.KeyedState;
import io.kipimo.operators.policy.PolicyBook;
import io.kipimo.schemas.observation.Observation;
import io.kipimo.schemas.observation.ObservationBuilder;
import io.kipimo.schemas.policy.Policy;
import io.kipimo.schemas.quality.Measurement;
import io.kipimo.schemas.quality.QualityWindow;
import io.kipimo.schemas.quality.Variants;
import io.kipimo.schemas.quality.WindowKind;
import java.util.List;
import java.util.Map;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.streaming.api.operators.co.CoBroadcastWithKeyedOperator;
import org.apache.flink.streaming.util.KeyedBroadcastOperatorTestHarness;
import org.apache.flink.types.Either;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Windows of the variants of one class. */
class VariantWindowHarnessTest {
    private static final Map<String, Policy> KNOWN = Map.of("shop", Events.policy());
    private static final long LATER = START + 1_000_000;

    private KeyedBroadcastOperatorTestHarness<String, Either<ClassPane, Observation>, Policy, QualityWindow> windows;

    private static KeyedBroadcastOperatorTestHarness<String, Either<ClassPane, Observation>, Policy, QualityWindow>
            harness() throws Exception {
        return new KeyedBroadcastOperatorTestHarness<>(
                new CoBroadcastWithKeyedOperator<>(new VariantWindowFunction(KNOWN), List.of(PolicyBook.STATE)),
                QualityWindowFunction::key,
                Types.STRING,
                1,
                1,
                0);
    }

    @BeforeEach
    void open() throws Exception {
        windows = harness();
        windows.open();
        windows.processBroadcastWatermark(Long.MAX_VALUE);
    }

    @AfterEach
    void close() throws Exception {
        windows.close();
    }

    private void measured(String variant, Measurement measurement) throws Exception {
        Measurement named = measurement.toBuilder().variant(variant).build();
        windows.processElement(Either.Left(sums(named)), START);
    }

    private void counted(String variant, Observation second) throws Exception {
        windows.processElement(
                Either.Right(ObservationBuilder.builder(second).variant(variant).build()), START);
    }

    private List<QualityWindow> sliding(String variant) {
        return windows.extractOutputValues().stream()
                .filter(w -> w.kind() == WindowKind.SLIDING && w.variant().equals(variant))
                .filter(w -> w.metric().equals("tpr@4"))
                .toList();
    }

    @Test
    void eachVariantHasItsOwnWindows() throws Exception {
        counted("stable", second(START, 900, 0));
        counted("canary", second(START, 100, 50));
        measured("stable", clean(START));
        measured("canary", clean(START));
        measured("canary", degraded(START, late("slow", 0.5)));
        measured("", degraded(START, late("slow", 0.5)));
        windows.processWatermark(START + 60_000);

        QualityWindow canary = sliding("canary").get(0);
        assertThat(canary.service()).isEqualTo("shop");
        assertThat(canary.queryClass()).isEqualTo("high");
        assertThat(canary.answered()).isEqualTo(100);
        assertThat(canary.samples()).isEqualTo(2);
        assertThat(canary.plainMean()).isEqualTo(0.75);
        QualityWindow stable = sliding("stable").get(0);
        assertThat(stable.answered()).isEqualTo(900);
        assertThat(stable.plainMean()).isEqualTo(1);
        assertThat(sliding(""))
                .as("answers without a variant have no variant's window")
                .isEmpty();
    }

    @Test
    void whatIsOpenSurvivesARestart() throws Exception {
        counted("canary", second(START, 100, 0));
        measured("canary", clean(START));
        OperatorSubtaskState snapshot = windows.snapshot(1, 1);
        windows.close();
        windows = harness();
        windows.initializeState(snapshot);
        windows.open();
        windows.processBroadcastWatermark(Long.MAX_VALUE);
        measured("canary", clean(START + 1));
        windows.processWatermark(START + 60_000);

        assertThat(sliding("canary").get(0).samples()).isEqualTo(2);
    }

    @Test
    void inventedVariantsCountTogetherAndAllAreForgotten() throws Exception {
        for (int i = 0; i < 1_000; i++) {
            measured("arm" + i, clean(START));
        }
        assertThat(KeyedState.entries(windows)).isEqualTo(1);
        windows.processWatermark(START + 60_000);

        assertThat(sliding(Variants.OTHER).get(0).samples()).isEqualTo(1_000 - Variants.MOST);
        assertThat(windows.extractOutputValues())
                .extracting(QualityWindow::variant)
                .filteredOn(name -> !name.equals(Variants.OTHER))
                .hasSizeGreaterThan(0)
                .allMatch(name -> Integer.parseInt(name.substring(3)) < Variants.MOST);

        windows.processWatermark(LATER);
        assertThat(KeyedState.entries(windows)).isZero();
        assertThat(windows.numEventTimeTimers()).isZero();
        measured("canary", clean(LATER + 1));
        windows.processWatermark(LATER + 60_000);
        assertThat(sliding("canary")).as("names are free again").isNotEmpty();
    }
}
