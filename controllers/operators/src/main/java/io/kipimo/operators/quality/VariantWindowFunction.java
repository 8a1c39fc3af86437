package io.kipimo.operators.quality;

import io.kipimo.core.quality.window.ClassPane;
import io.kipimo.core.quality.window.ClassWindows;
import io.kipimo.core.quality.window.QualityWindows;
import io.kipimo.core.quality.window.VariantNames;
import io.kipimo.operators.isolation.Isolation;
import io.kipimo.operators.policy.PolicyBook;
import io.kipimo.operators.types.StateFormats;
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
import org.apache.flink.api.common.state.ReadOnlyBroadcastState;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.streaming.api.functions.co.KeyedBroadcastProcessFunction;
import org.apache.flink.types.Either;
import org.apache.flink.util.Collector;

/**
 * Runs {@link QualityWindows} for each variant of a class, keyed by service/class. Input without a variant is ignored.
 * A variant is forgotten when its window is empty.
 */
public final class VariantWindowFunction
        extends KeyedBroadcastProcessFunction<String, Either<ClassPane, Observation>, Policy, QualityWindow> {
    private static final long serialVersionUID = 1L;

    private final PolicyBook<Policy> policies;
    private transient MapState<String, ClassWindows> windows;
    private transient Isolation isolation;

    /** @param knownPolicies policies at the time of submission, by service */
    public VariantWindowFunction(Map<String, Policy> knownPolicies) {
        this.policies = new PolicyBook<>(knownPolicies, policy -> policy);
    }

    static MapStateDescriptor<String, ClassWindows> stateDescriptor() {
        return new MapStateDescriptor<>("variant-windows", Types.STRING, StateFormats.CLASS_WINDOWS.typeInfo());
    }

    @Override
    public void open(OpenContext openContext) {
        isolation = new Isolation(getRuntimeContext().getMetricGroup());
        windows = getRuntimeContext().getMapState(stateDescriptor());
    }

    @Override
    public void processElement(Either<ClassPane, Observation> input, ReadOnlyContext ctx, Collector<QualityWindow> out)
            throws Exception {
        isolation.run(ctx.getCurrentKey(), () -> add(input, ctx, out));
    }

    private void add(Either<ClassPane, Observation> input, ReadOnlyContext ctx, Collector<QualityWindow> out)
            throws Exception {
        String named = input.isLeft() ? input.left().variant : input.right().variant();
        if (named.isEmpty()) {
            return;
        }
        Policy policy = policy(ctx.getBroadcastState(PolicyBook.STATE), ctx.getCurrentKey());
        if (policy == null) {
            // The policy has not reached this subtask yet.
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
    public void onTimer(long timestamp, OnTimerContext ctx, Collector<QualityWindow> out) throws Exception {
        if (!isolation.run(ctx.getCurrentKey(), () -> close(timestamp, ctx, out))) {
            // What cannot be closed would fail at every later end, too.
            windows.clear();
        }
    }

    private void close(long timestamp, OnTimerContext ctx, Collector<QualityWindow> out) throws Exception {
        Policy policy = policy(ctx.getBroadcastState(PolicyBook.STATE), ctx.getCurrentKey());
        if (policy == null) {
            return;
        }
        String key = ctx.getCurrentKey();
        int slash = key.indexOf('/');
        for (String variant : names()) {
            ClassWindows state = windows.get(variant);
            Optional<Long> due = QualityWindows.nextSlideEndMillis(state, policy);
            if (due.isPresent() && due.get() > timestamp) {
                continue;
            }
            emit(
                    QualityWindows.closeSlide(
                            state, policy, key.substring(0, slash), key.substring(slash + 1), timestamp),
                    variant,
                    out);
            Optional<Long> next = QualityWindows.nextSlideEndMillis(state, policy);
            if (next.isPresent()) {
                ctx.timerService().registerEventTimeTimer(next.get());
                windows.put(variant, state);
            } else {
                windows.remove(variant);
            }
        }
    }

    @Override
    public void processBroadcastElement(Policy policy, Context ctx, Collector<QualityWindow> out) throws Exception {
        policies.update(ctx.getBroadcastState(PolicyBook.STATE), policy);
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

    private Policy policy(ReadOnlyBroadcastState<String, Policy> state, String key) throws Exception {
        return policies.find(state, key.substring(0, key.indexOf('/')));
    }
}
