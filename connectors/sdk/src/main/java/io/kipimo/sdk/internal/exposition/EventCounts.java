package io.kipimo.sdk.internal.exposition;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;

/** Counts of what happened since the start, by constants. Counting takes no lock and allocates nothing. */
public class EventCounts {
    /** Never changed after the constructor. */
    private final Map<Enum<?>, LongAdder> adders = new HashMap<>();

    /** @param kinds all that may be counted */
    public EventCounts(Enum<?>[]... kinds) {
        for (Enum<?>[] kind : kinds) {
            for (Enum<?> what : kind) {
                adders.put(what, new LongAdder());
            }
        }
    }

    public final void count(Enum<?> what) {
        count(what, 1);
    }

    public final void count(Enum<?> what, long times) {
        adders.get(what).add(times);
    }

    public final long of(Enum<?> what) {
        return adders.get(what).sum();
    }
}
