package io.kipimo.duplicates;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** Results of the latest writes, bounded in number and bytes. */
final class RecentResults {
    private static final int MOST = 10_000;
    private static final long MOST_BYTES = 64 << 20;

    private final Map<Long, WriteResult> results = new LinkedHashMap<>();
    private long bytes;

    synchronized void add(WriteResult result) {
        results.put(result.ticket(), result);
        bytes += size(result);
        while (results.size() > MOST || bytes > MOST_BYTES) {
            var oldest = results.values().iterator();
            bytes -= size(oldest.next());
            oldest.remove();
        }
    }

    /** Result of a write; empty: too old, or applied before this process started. */
    synchronized Optional<WriteResult> of(long ticket) {
        return Optional.ofNullable(results.get(ticket));
    }

    /** Removes all results, because a store that lost writes applies them again. */
    synchronized void clear() {
        results.clear();
        bytes = 0;
    }

    private static int size(WriteResult result) {
        return result.before().map(v -> v.value().length).orElse(0);
    }
}
