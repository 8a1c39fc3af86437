package io.kipimo.console.model;

import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.ToLongFunction;

/**
 * The newest record of each key, for at most {@value #MOST} keys. If there are more, the key with the oldest record is
 * removed.
 */
final class Newest<T> {
    private static final int MOST = 100;

    private final Map<String, T> byKey = new TreeMap<>();
    private final ToLongFunction<T> endMillis;

    Newest(ToLongFunction<T> endMillis) {
        this.endMillis = endMillis;
    }

    void add(String key, T record) {
        byKey.merge(
                key,
                record,
                (known, other) -> endMillis.applyAsLong(other) >= endMillis.applyAsLong(known) ? other : known);
        if (byKey.size() > MOST) {
            byKey.values().remove(Collections.min(byKey.values(), Comparator.comparingLong(endMillis)));
        }
    }

    /** The newest records, in order of their keys. */
    Collection<T> all() {
        return byKey.values();
    }
}
