package io.kipimo.operators.quality;

import static io.kipimo.core.quality.SampleMeasurements.clean;
import static io.kipimo.core.quality.SampleMeasurements.degraded;
import static io.kipimo.core.quality.SampleMeasurements.late;
import static io.kipimo.core.quality.SampleMeasurements.second;
import static io.kipimo.core.quality.SampleMeasurements.sums;
import static io.kipimo.core.quality.join.Events.START;

import io.kipimo.core.quality.join.Events;
import io.kipimo.core.quality.window.Budgets;
import io.kipimo.core.quality.window.ClassPane;
import io.kipimo.operators.budget.ErrorBudgetFunction;
import io.kipimo.operators.completeness.CompletenessFunction;
import io.kipimo.operators.isolation.EdgeRecords;
import io.kipimo.operators.isolation.Neighbours;
import io.kipimo.operators.policy.PolicyBook;
import io.kipimo.schemas.codec.Codecs;
import io.kipimo.schemas.observation.Observation;
import io.kipimo.schemas.observation.ObservationBuilder;
import io.kipimo.schemas.policy.Policy;
import io.kipimo.schemas.quality.Measurement;
import java.util.List;
import java.util.Map;
import org.apache.flink.api.common.serialization.SerializerConfigImpl;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.streaming.api.functions.co.KeyedBroadcastProcessFunction;
import org.apache.flink.streaming.api.operators.KeyedProcessOperator;
import org.apache.flink.streaming.api.operators.co.CoBroadcastWithKeyedOperator;
import org.apache.flink.streaming.api.operators.co.CoBroadcastWithNonKeyedOperator;
import org.apache.flink.streaming.util.BroadcastOperatorTestHarness;
import org.apache.flink.streaming.util.KeyedBroadcastOperatorTestHarness;
import org.apache.flink.streaming.util.KeyedOneInputStreamOperatorTestHarness;
import org.apache.flink.streaming.util.OneInputStreamOperatorTestHarness;
import org.apache.flink.types.Either;
import org.junit.jupiter.api.Test;

/** One service's data harms no other one in the operators of the quality job. */
class NeighboursHarnessTest {
    private static final Policy GOOD = Events.policy();
    private static final Policy BAD = GOOD.toBuilder().service(Neighbours.BAD).build();
    private static final Map<String, Policy> KNOWN = Map.of("shop", GOOD, Neighbours.BAD, BAD);
    private static final long STEP_MILLIS = 5_000;

    private static long at(int step) {
        return START + STEP_MILLIS * step;
    }

    /** Some at any time, most near the good service's. */
    private static Measurement measurement(int step, EdgeRecords edges) {
        Map<String, Object> fixed = edges.random().nextInt(4) == 0
                ? Map.of("service", Neighbours.BAD, "queryClass", "high")
                : Map.of(
                        "service",
                        Neighbours.BAD,
                        "queryClass",
                        "high",
                        "startedAtMillis",
                        at(step) - 10,
                        "measuredAtMillis",
                        at(step));
        return edges.of(Codecs.MEASUREMENT, fixed);
    }

    private static Observation observation(int step, EdgeRecords edges) {
        return edges.of(
                Codecs.OBSERVATION,
                edges.random().nextInt(4) == 0
                        ? Map.of("service", Neighbours.BAD, "queryClass", "high")
                        : Map.of("service", Neighbours.BAD, "queryClass", "high", "secondMillis", at(step)));
    }

    private static List<Measurement> good(int step) {
        return List.of(clean(at(step)), degraded(at(step), late("slow", 0.5)));
    }

    /** Windows, windows of variants, budgets: the same inputs and policies. */
    private static <O> void windows(
            Neighbours.Opening<KeyedBroadcastProcessFunction<String, Either<ClassPane, Observation>, Policy, O>>
                    function,
            String variant)
            throws Exception {
        Neighbours.check(
                () -> {
                    var harness = new KeyedBroadcastOperatorTestHarness<>(
                            new CoBroadcastWithKeyedOperator<>(function.open(), List.of(PolicyBook.STATE)),
                            QualityWindowFunction::key,
                            Types.STRING,
                            1,
                            1,
                            0);
                    harness.open();
                    harness.processBroadcastWatermark(Long.MAX_VALUE);
                    return harness;
                },
                (harness, step, edges) -> {
                    for (Measurement measurement : good(step)) {
                        harness.processElement(left(measurement, variant), START);
                    }
                    harness.processElement(right(second(at(step), 900, 9), variant), START);
                },
                (harness, step, edges) -> {
                    switch (edges.random().nextInt(5)) {
                        case 0, 1 -> harness.processElement(left(measurement(step, edges), variant), START);
                        case 2, 3 -> harness.processElement(right(observation(step, edges), variant), START);
                        default -> harness.processBroadcastElement(edges.policy(BAD, Neighbours.BAD, step + 2L), START);
                    }
                },
                (harness, step, edges) -> harness.processWatermark(at(step)));
    }

    private static Either<ClassPane, Observation> left(Measurement measurement, String variant) {
        return Either.Left(sums(measurement.toBuilder().variant(variant).build()));
    }

    private static Either<ClassPane, Observation> right(Observation observation, String variant) {
        return Either.Right(
                ObservationBuilder.builder(observation).variant(variant).build());
    }

    /** An operator whose input are measurements. */
    private static <O> void measured(Neighbours.Opening<OneInputStreamOperatorTestHarness<Measurement, O>> opening)
            throws Exception {
        Neighbours.check(
                () -> {
                    var harness = opening.open();
                    harness.open();
                    return harness;
                },
                (harness, step, edges) -> {
                    for (Measurement measurement : good(step)) {
                        harness.processElement(measurement, at(step));
                    }
                },
                (harness, step, edges) -> harness.processElement(measurement(step, edges), at(step)),
                (harness, step, edges) -> harness.processWatermark(at(step)));
    }

    @Test
    void windows() throws Exception {
        windows(() -> new QualityWindowFunction(KNOWN), "");
    }

    @Test
    void windowsOfVariants() throws Exception {
        windows(() -> new VariantWindowFunction(KNOWN), "canary");
    }

    @Test
    void errorBudgets() throws Exception {
        windows(() -> new ErrorBudgetFunction(KNOWN, new Budgets.BudgetWindows(60_000, 600_000, 3_600_000, 1)), "");
    }

    @Test
    void learnedCompleteness() throws Exception {
        measured(() -> new KeyedOneInputStreamOperatorTestHarness<>(
                new KeyedProcessOperator<>(new CompletenessFunction(10_000)), Measurement::scope, Types.STRING));
    }

    @Test
    void lowEnds() throws Exception {
        measured(() -> BoundsHarness.alone());
    }

    @Test
    void sumsOfMeasurements() throws Exception {
        measured(() -> {
            var harness = new OneInputStreamOperatorTestHarness<>(new PaneSumsOperator());
            harness.setup(QualityWindowFunction.INPUT_TYPE.createSerializer(new SerializerConfigImpl()));
            return harness;
        });
    }

    @Test
    void gateOfObservations() throws Exception {
        Neighbours.check(
                () -> {
                    var harness = new BroadcastOperatorTestHarness<>(
                            new CoBroadcastWithNonKeyedOperator<>(
                                    new ObservationGate(KNOWN, "test."), List.of(PolicyBook.STATE)),
                            1,
                            1,
                            0);
                    harness.open();
                    return harness;
                },
                (harness, step, edges) -> harness.processElement(
                        new LoggedObservation(second(at(step), 900, 9), 0, step, new byte[0]), at(step)),
                (harness, step, edges) -> {
                    if (edges.random().nextBoolean()) {
                        harness.processElement(
                                new LoggedObservation(observation(step, edges), 0, step, new byte[0]), at(step));
                    } else {
                        harness.processBroadcastElement(edges.policy(BAD, Neighbours.BAD, step + 2L), START);
                    }
                },
                (harness, step, edges) -> harness.processWatermark(at(step)));
    }
}
