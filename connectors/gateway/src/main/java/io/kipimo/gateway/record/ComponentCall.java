package io.kipimo.gateway.record;

import io.kipimo.gateway.config.ListenerConfig;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;

/** A request of a recorded query to one of its components. */
public final class ComponentCall {
    private final QueryRecorder recorder;
    private final ListenerConfig component;
    private final FrontQuery query;

    /** Whether it is the first request of the query to the component. */
    private final boolean isFirst;

    /** Whether the request may be sent more than once. */
    private final boolean repeatable;

    private final AtomicBoolean ended = new AtomicBoolean();

    ComponentCall(
            QueryRecorder recorder, ListenerConfig component, FrontQuery query, boolean isFirst, boolean repeatable) {
        this.recorder = recorder;
        this.component = component;
        this.query = query;
        this.isFirst = isFirst;
        this.repeatable = repeatable;
    }

    /** Whether its response is recorded although the caller has left. */
    public boolean isRecorded() {
        return isFirst && repeatable && component.memoize() && query.isSampled() && !query.isReplay();
    }

    /** Whether the body of its response is parsed. */
    public boolean wantsBody() {
        return recorder.wantsBody(query, component);
    }

    /** Remaining time for a late response, milliseconds. */
    public long leftMillis() {
        return recorder.leftMillis(query);
    }

    /** Records that the caller left. */
    public void abandoned() {
        if (isFirst) {
            query.abandoned(component.name());
        }
    }

    /** Records that the memo cache had the response. */
    public void served() {
        if (ended.compareAndSet(false, true)) {
            recorder.served(component, query, isFirst);
            if (isFirst) {
                query.ended(component.name());
            }
        }
    }

    /**
     * Records that the response has arrived. Must be called before the caller has all of it.
     *
     * @param response empty: not needed, or too large
     * @param key in the memo cache; empty: the response is not kept there
     */
    public void returned(int status, Optional<RecordedResponse> response, Optional<MemoKey> key) {
        if (!ended.compareAndSet(false, true)) {
            return;
        }
        if (!isFirst) {
            recorder.returnedFurther(component, query, status, response);
            return;
        }
        boolean isWhole = recorder.returned(component, query, status, response);
        if (isRecorded() && isWhole && key.isPresent() && response.isPresent()) {
            // The replay must find the memo, so the call ends after the write.
            var unused = recorder.memo()
                    .put(key.get(), response.get())
                    .whenComplete((done, failure) -> query.ended(component.name()));
        } else {
            query.ended(component.name());
        }
    }

    /** Records that no response will arrive. */
    public void failed() {
        if (ended.compareAndSet(false, true) && isFirst) {
            query.failed(component.name(), System.nanoTime());
            query.ended(component.name());
        }
    }
}
