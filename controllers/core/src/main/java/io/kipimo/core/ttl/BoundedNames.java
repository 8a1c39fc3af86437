package io.kipimo.core.ttl;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Keeps the first {@code most} names and replaces all others by {@value #OTHER}. A name that was not used for an hour
 * may be replaced by a new one. Mutable, for one thread.
 */
public final class BoundedNames {
    public static final String OTHER = "other";

    static final long FORGOTTEN_MILLIS = 3_600_000;

    private final int most;

    /** Last use of each name, epoch milliseconds; the least recently used name comes first. */
    private final Map<String, Long> used = new LinkedHashMap<>(16, 0.75f, true);

    /** @throws IllegalArgumentException if {@code most} is not positive */
    public BoundedNames(int most) {
        if (most < 1) {
            throw new IllegalArgumentException("most is " + most + "; allowed: at least 1");
        }
        this.most = most;
    }

    /** Returns {@code name}, or {@value #OTHER} if there is no space for it. */
    public String fold(String name, long atMillis) {
        Long last = used.get(name);
        if (last != null) {
            if (atMillis > last) {
                used.put(name, atMillis);
            }
            return name;
        }
        if (used.size() >= most) {
            Iterator<Long> longest = used.values().iterator();
            if (longest.next() + FORGOTTEN_MILLIS > atMillis) {
                return OTHER;
            }
            longest.remove();
        }
        used.put(name, atMillis);
        return name;
    }
}
