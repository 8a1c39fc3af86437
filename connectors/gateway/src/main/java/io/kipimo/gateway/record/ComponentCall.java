package io.kipimo.gateway.record;

import io.kipimo.gateway.config.ListenerConfig;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;

/** One component's part in a query that is told of. */
public final class ComponentCall {
    private final Recorder recorder;
    private final ListenerConfig component;
    private final FrontQuery query;
    private final AtomicBoolean ended = new AtomicBoolean();

    ComponentCall(Recorder recorder, ListenerConfig component, FrontQuery query) {
        this.recorder = recorder;
        this.component = component;
        this.query = query;
    }

    /** Whether its response is to be had even when nobody waits for it any more. */
    public boolean isRecorded() {
        return component.memoize() && query.isSampled() && !query.isReplay();
    }

    /** How long to wait for it, from now on. */
    public long leftMillis() {
        return recorder.leftMillis(query);
    }

    /** The caller gave up. */
    public void abandoned() {
        query.abandoned(component.name());
    }

    /**
     * The response is in; called before the caller has it whole.
     *
     * @param response empty: not recorded, or too large
     * @param key in the memo cache; empty: it is not to be kept there
     */
    public void returned(int status, Optional<RecordedResponse> response, Optional<MemoKey> key) {
        if (!ended.compareAndSet(false, true)) {
            return;
        }
        recorder.returned(component, query, status, response);
        if (isRecorded()
                && key.isPresent()
                && response.filter(RecordedResponse::isSuccess).isPresent()) {
            // The replay comes after it.
            var unused =
                    recorder.memo()
                            .put(key.get(), response.get())
                            .whenComplete((done, failure) -> query.ended(component.name()));
        } else {
            query.ended(component.name());
        }
    }

    /** No response comes. */
    public void failed() {
        if (ended.compareAndSet(false, true)) {
            query.failed(component.name(), System.nanoTime());
            query.ended(component.name());
        }
    }
}
