package io.kipimo.sdk.internal.exposition;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;

/** Counts of events since the start, one for each enum constant. Counting takes no lock and allocates nothing. */
public class EventCounts {
    /** The map is never changed after the constructor. */
    private final Map<Enum<?>, LongAdder> adders = new HashMap<>();

    /** @param kinds all constants that may be counted */
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
