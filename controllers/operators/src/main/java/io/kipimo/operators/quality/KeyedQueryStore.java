package io.kipimo.operators.quality;

import io.kipimo.core.quality.join.OpenQuery;
import io.kipimo.core.quality.join.QueryStore;
import io.kipimo.schemas.quality.QueryKey;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.function.BiConsumer;
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.runtime.state.KeyedStateBackend;
import org.apache.flink.runtime.state.StateInitializationContext;
import org.apache.flink.runtime.state.VoidNamespace;
import org.apache.flink.runtime.state.VoidNamespaceSerializer;
import org.apache.flink.runtime.state.heap.HeapKeyedStateBackend;

/** Keeps open queries in Flink's keyed state, one state object for each query. */
final class KeyedQueryStore implements QueryStore {
    private final KeyedStateBackend<QueryKey> backend;
    private final ValueState<OpenQuery> open;

    /** Whether state is on the heap. Then it is the object itself; in other backends changes must be written back. */
    private final boolean isOnHeap;

    KeyedQueryStore(KeyedStateBackend<QueryKey> backend, StateInitializationContext context) {
        this.backend = backend;
        this.open = context.getKeyedStateStore().getState(stateDescriptor());
        this.isOnHeap = backend instanceof HeapKeyedStateBackend;
    }

    static ValueStateDescriptor<OpenQuery> stateDescriptor() {
        return new ValueStateDescriptor<>("open-query", QualityFormats.OPEN_QUERY.typeInfo());
    }

    /** Passes on all stored queries. */
    void restore(BiConsumer<QueryKey, OpenQuery> restored) throws Exception {
        backend.applyToAllKeys(
                VoidNamespace.INSTANCE,
                VoidNamespaceSerializer.INSTANCE,
                stateDescriptor(),
                (key, state) -> restored.accept(key, state.value()));
    }

    @Override
    public OpenQuery find(QueryKey key) {
        turnTo(key);
        try {
            return open.value();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void keep(QueryKey key, OpenQuery query, boolean isNew) {
        if (isNew || !isOnHeap) {
            turnTo(key);
            try {
                open.update(query);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    @Override
    public void forget(QueryKey key) {
        turnTo(key);
        open.clear();
    }

    @Override
    public boolean keepsObjects() {
        return isOnHeap;
    }

    /** Sets the current key. While an event is processed, Flink has set its key already, as the same object. */
    @SuppressWarnings("ReferenceEquality")
    private void turnTo(QueryKey key) {
        if (backend.getCurrentKey() != key) {
            backend.setCurrentKey(key);
        }
    }
}
