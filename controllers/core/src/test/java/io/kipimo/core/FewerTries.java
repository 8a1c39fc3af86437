package io.kipimo.core;

import java.util.List;
import net.jqwik.api.Property;
import net.jqwik.api.lifecycle.AroundTryHook;
import net.jqwik.api.lifecycle.Lifespan;
import net.jqwik.api.lifecycle.PropagationMode;
import net.jqwik.api.lifecycle.Store;
import net.jqwik.api.lifecycle.TryExecutionResult;
import net.jqwik.api.lifecycle.TryExecutor;
import net.jqwik.api.lifecycle.TryLifecycleContext;

/** A property with {@code tries} of its own ends after a fifth of them, and not before ten, unless {@code -Pfull}. */
public final class FewerTries implements AroundTryHook {
    private static final int PART = 5;
    private static final int LEAST = 10;

    @Override
    public TryExecutionResult aroundTry(TryLifecycleContext context, TryExecutor aTry, List<Object> parameters) {
        TryExecutionResult result = aTry.execute(parameters);
        Property property = context.targetMethod().getAnnotation(Property.class);
        if (property == null || property.tries() == Property.TRIES_NOT_SET || !result.isSatisfied()) {
            return result;
        }
        Store<Integer> done = Store.getOrCreate(FewerTries.class, Lifespan.PROPERTY, () -> 0);
        done.update(before -> before + 1);
        int all = property.tries();
        return done.get() < Effort.of(Math.max(LEAST, all / PART), all) ? result : TryExecutionResult.satisfied(true);
    }

    @Override
    public PropagationMode propagateTo() {
        return PropagationMode.ALL_DESCENDANTS;
    }
}
