package io.kipimo.core.ttl;

import io.kipimo.core.tails.LatencySketch;
import io.kipimo.schemas.caching.CacheCounts;
import io.kipimo.schemas.caching.CachingWindow;
import io.kipimo.schemas.caching.CachingWindowBuilder;
import io.kipimo.schemas.caching.InvalidatedKey;
import io.kipimo.schemas.caching.TtlQuantiles;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Sums of one table's reads, writes and cache uses in one window or a part of it; parts can be merged. A part keeps
 * only the {@value #MOST_KEYS} most invalidated keys, so with more keys the counts of less frequent ones are too low.
 * Mutable, for one thread.
 */
public final class CachingPane {
    private static final int MOST_KEYS = 1_000;

    private long reads;
    private long writes;
    private long invalidations;

    /** Times to live handed out. The sketch holds milliseconds here, not microseconds. */
    private final LatencySketch handedOutMillis;

    private final Map<String, Long> invalidatedKeys = new HashMap<>();
    private CacheCounts use = CacheCounts.NONE;

    public CachingPane() {
        this(new LatencySketch());
    }

    private CachingPane(LatencySketch handedOutMillis) {
        this.handedOutMillis = handedOutMillis;
    }

    public void read(long ttlMillis) {
        reads++;
        handedOutMillis.record(ttlMillis);
    }

    public void wrote() {
        writes++;
    }

    public void invalidated(String key) {
        invalidations++;
        invalidatedKeys.merge(key, 1L, Long::sum);
        // Cut at twice the bound, so that it happens rarely.
        if (invalidatedKeys.size() > 2 * MOST_KEYS) {
            cut();
        }
    }

    public void used(CacheCounts counts) {
        use = use.plus(counts);
    }

    /** Adds all sums of another pane, which does not change. */
    public void merge(CachingPane other) {
        reads += other.reads;
        writes += other.writes;
        invalidations += other.invalidations;
        handedOutMillis.merge(other.handedOutMillis);
        other.invalidatedKeys.forEach((key, n) -> invalidatedKeys.merge(key, n, Long::sum));
        use = use.plus(other.use);
        if (invalidatedKeys.size() > 2 * MOST_KEYS) {
            cut();
        }
    }

    private void cut() {
        List<InvalidatedKey> most = most(MOST_KEYS);
        invalidatedKeys.clear();
        most.forEach(key -> invalidatedKeys.put(key.key(), key.invalidations()));
    }

    /** The most invalidated keys: by invalidations, descending, then by key. */
    private List<InvalidatedKey> most(int keys) {
        return invalidatedKeys.entrySet().stream()
                .map(e -> new InvalidatedKey(e.getKey(), e.getValue()))
                .sorted(Comparator.comparingLong(InvalidatedKey::invalidations)
                        .reversed()
                        .thenComparing(InvalidatedKey::key))
                .limit(keys)
                .toList();
    }

    /** The window, without figures of the filter. */
    public CachingWindow window(String service, String table, long startMillis, long endMillis) {
        return CachingWindowBuilder.builder()
                .service(service)
                .table(table)
                .startMillis(startMillis)
                .endMillis(endMillis)
                .originReads(reads)
                .writes(writes)
                .invalidations(invalidations)
                .handedOut(
                        reads == 0
                                ? Optional.empty()
                                : Optional.of(new TtlQuantiles(
                                        reads,
                                        handedOutMillis.quantileMicros(0.1),
                                        handedOutMillis.quantileMicros(0.5),
                                        handedOutMillis.quantileMicros(0.9),
                                        handedOutMillis.quantileMicros(0.99))))
                .mostInvalidated(most(CachingWindow.MOST_KEYS))
                .use(use.equals(CacheCounts.NONE) ? Optional.empty() : Optional.of(use))
                .build();
    }

    /** Writes this pane as bytes; panes with equal content give equal bytes. */
    public void write(DataOutput out) throws IOException {
        out.writeLong(reads);
        out.writeLong(writes);
        out.writeLong(invalidations);
        byte[] sketch = handedOutMillis.toBytes();
        out.writeInt(sketch.length);
        out.write(sketch);
        out.writeInt(invalidatedKeys.size());
        for (Map.Entry<String, Long> key : new TreeMap<>(invalidatedKeys).entrySet()) {
            out.writeUTF(key.getKey());
            out.writeLong(key.getValue());
        }
        out.writeLong(use.reads());
        out.writeLong(use.clientHits());
        out.writeLong(use.sharedHits());
        out.writeLong(use.revalidations());
        out.writeLong(use.needlessRevalidations());
        out.writeLong(use.staleReads());
    }

    /** Reads what {@link #write} wrote. */
    public static CachingPane read(DataInput in) throws IOException {
        long reads = in.readLong();
        long writes = in.readLong();
        long invalidations = in.readLong();
        byte[] sketch = new byte[in.readInt()];
        in.readFully(sketch);
        CachingPane pane = new CachingPane(LatencySketch.fromBytes(sketch));
        pane.reads = reads;
        pane.writes = writes;
        pane.invalidations = invalidations;
        for (int i = in.readInt(); i > 0; i--) {
            String key = in.readUTF();
            pane.invalidatedKeys.put(key, in.readLong());
        }
        pane.use = new CacheCounts(
                in.readLong(), in.readLong(), in.readLong(), in.readLong(), in.readLong(), in.readLong());
        return pane;
    }

    public CachingPane copy() {
        CachingPane copy = new CachingPane();
        copy.merge(this);
        return copy;
    }
}
