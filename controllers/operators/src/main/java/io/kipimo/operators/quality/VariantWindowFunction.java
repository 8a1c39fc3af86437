package io.kipimo.operators.quality;

import io.kipimo.core.quality.window.ClassPane;
import io.kipimo.core.quality.window.ClassWindows;
import io.kipimo.core.quality.window.QualityWindows;
import io.kipimo.core.quality.window.VariantNames;
import io.kipimo.operators.policy.PolicyFunction;
import io.kipimo.operators.types.StateFormats;
import io.kipimo.schemas.field.ServiceClass;
import io.kipimo.schemas.observation.Observation;
import io.kipimo.schemas.policy.Policy;
import io.kipimo.schemas.quality.QualityWindow;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.state.MapState;
import org.apache.flink.api.common.state.MapStateDescriptor;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.types.Either;
import org.apache.flink.util.Collector;

/**
 * Computes the windows of each variant of a class ({@link QualityWindows}), keyed by service/class. It ignores input
 * without a variant, and forgets a variant when its window is empty.
 */
public final class VariantWindowFunction extends PolicyFunction<Either<ClassPane, Observation>, QualityWindow> {
    private transient MapState<String, ClassWindows> windows;

    /** @param knownPolicies policies at the time of submission, by service */
    public VariantWindowFunction(Map<String, Policy> knownPolicies) {
        super(knownPolicies);
    }

    static MapStateDescriptor<String, ClassWindows> stateDescriptor() {
        return new MapStateDescriptor<>("variant-windows", Types.STRING, StateFormats.CLASS_WINDOWS.typeInfo());
    }

    @Override
    public void open(OpenContext openContext) {
        super.open(openContext);
        windows = getRuntimeContext().getMapState(stateDescriptor());
    }

    @Override
    protected void add(
            Either<ClassPane, Observation> input, Policy policy, ReadOnlyContext ctx, Collector<QualityWindow> out)
            throws Exception {
        String named = input.isLeft() ? input.left().variant : input.right().variant();
        if (named.isEmpty()) {
            return;
        }
        String variant = VariantNames.fold(names(), named);
        ClassWindows state = windows.get(variant);
        if (state == null) {
            state = new ClassWindows();
        }
        if (input.isLeft()) {
            QualityWindows.add(state, policy, input.left());
        } else {
            emit(QualityWindows.add(state, policy, input.right()), variant, out);
        }
        QualityWindows.nextSlideEndMillis(state, policy).ifPresent(ctx.timerService()::registerEventTimeTimer);
        windows.put(variant, state);
    }

    @Override
    protected void close(long timestamp, Policy policy, OnTimerContext ctx, Collector<QualityWindow> out)
            throws Exception {
        ServiceClass key = ServiceClass.of(ctx.getCurrentKey());
        for (String variant : names()) {
            ClassWindows state = windows.get(variant);
            Optional<Long> due = QualityWindows.nextSlideEndMillis(state, policy);
            if (due.isPresent() && due.get() > timestamp) {
                continue;
            }
            emit(QualityWindows.closeSlide(state, policy, key.service(), key.queryClass(), timestamp), variant, out);
            Optional<Long> next = QualityWindows.nextSlideEndMillis(state, policy);
            if (next.isPresent()) {
                ctx.timerService().registerEventTimeTimer(next.get());
                windows.put(variant, state);
            } else {
                windows.remove(variant);
            }
        }
    }

    private static void emit(List<QualityWindow> ofClass, String variant, Collector<QualityWindow> out) {
        for (QualityWindow window : ofClass) {
            out.collect(window.toBuilder().variant(variant).build());
        }
    }

    private Set<String> names() throws Exception {
        Set<String> names = new HashSet<>();
        windows.keys().forEach(names::add);
        return names;
    }

    @Override
    protected void forget() {
        windows.clear();
    }
}
