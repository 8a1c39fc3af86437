package io.kipimo.operators.quality;

import io.kipimo.core.quality.window.ClassPane;
import io.kipimo.core.quality.window.ClassWindows;
import io.kipimo.core.quality.window.QualityWindows;
import io.kipimo.operators.policy.PolicyFunction;
import io.kipimo.operators.types.Format;
import io.kipimo.operators.types.StateFormats;
import io.kipimo.schemas.codec.Codecs;
import io.kipimo.schemas.field.ServiceClass;
import io.kipimo.schemas.observation.Observation;
import io.kipimo.schemas.policy.Policy;
import io.kipimo.schemas.quality.Measurement;
import io.kipimo.schemas.quality.QualityWindow;
import java.util.List;
import java.util.Map;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.KeyedStream;
import org.apache.flink.types.Either;
import org.apache.flink.util.Collector;

/** Computes the windows of each class ({@link QualityWindows}), keyed by service/class. */
public final class QualityWindowFunction extends PolicyFunction<Either<ClassPane, Observation>, QualityWindow> {
    /** Flink's type of {@link #inputs}. */
    static final TypeInformation<Either<ClassPane, Observation>> INPUT_TYPE =
            Types.EITHER(StateFormats.CLASS_PANE.typeInfo(), Format.typeOf(Codecs.OBSERVATION));

    private transient ValueState<ClassWindows> windows;
    private transient WindowMetrics metrics;

    /** @param knownPolicies policies at the time of submission, by service */
    public QualityWindowFunction(Map<String, Policy> knownPolicies) {
        super(knownPolicies);
    }

    /** Merges sums of measurements and counts of front ends into one stream, keyed by service/class. */
    public static KeyedStream<Either<ClassPane, Observation>, String> inputs(
            DataStream<Measurement> measurements, DataStream<Observation> observations) {
        DataStream<Either<ClassPane, Observation>> left = measurements
                .transform("windowed-measurements", INPUT_TYPE, new PaneSumsOperator())
                .uid("windowed-measurements")
                .name("windowed-measurements");
        DataStream<Either<ClassPane, Observation>> right = observations
                .map(o -> Either.<ClassPane, Observation>Right(o), INPUT_TYPE)
                .uid("windowed-observations")
                .name("windowed-observations");
        return left.union(right).keyBy(QualityWindowFunction::key, Types.STRING);
    }

    static String key(Either<ClassPane, Observation> input) {
        return input.isRight() ? input.right().scope() : input.left().scope();
    }

    static ValueStateDescriptor<ClassWindows> stateDescriptor() {
        return new ValueStateDescriptor<>("class-windows", StateFormats.CLASS_WINDOWS.typeInfo());
    }

    @Override
    public void open(OpenContext openContext) {
        super.open(openContext);
        windows = getRuntimeContext().getState(stateDescriptor());
        metrics = new WindowMetrics(getRuntimeContext().getMetricGroup());
    }

    @Override
    protected void add(
            Either<ClassPane, Observation> input, Policy policy, ReadOnlyContext ctx, Collector<QualityWindow> out)
            throws Exception {
        ClassWindows state = windows.value();
        if (state == null) {
            state = new ClassWindows();
        }
        if (input.isLeft()) {
            QualityWindows.add(state, policy, input.left());
        } else {
            List<QualityWindow> batch = QualityWindows.add(state, policy, input.right());
            metrics.completed(batch);
            batch.forEach(out::collect);
        }
        QualityWindows.nextSlideEndMillis(state, policy).ifPresent(ctx.timerService()::registerEventTimeTimer);
        windows.update(state);
    }

    @Override
    protected void close(long timestamp, Policy policy, OnTimerContext ctx, Collector<QualityWindow> out)
            throws Exception {
        ClassWindows state = windows.value();
        if (state == null) {
            return;
        }
        ServiceClass key = ServiceClass.of(ctx.getCurrentKey());
        List<QualityWindow> closed =
                QualityWindows.closeSlide(state, policy, key.service(), key.queryClass(), timestamp);
        metrics.closed(key.toString(), closed);
        closed.forEach(out::collect);
        var next = QualityWindows.nextSlideEndMillis(state, policy);
        if (next.isPresent()) {
            ctx.timerService().registerEventTimeTimer(next.get());
            windows.update(state);
        } else {
            windows.clear();
        }
    }

    @Override
    protected void forget() {
        windows.clear();
    }
}
