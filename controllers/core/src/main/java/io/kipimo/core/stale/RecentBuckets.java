package io.kipimo.core.stale;

import java.util.HashMap;
import java.util.Map;

/** The buckets of {@link RecentKeys} in memory. Times must not decrease. */
final class RecentBuckets {
    private final FilterShape shape;
    private final Map<Long, byte[]>[] levels;

    @SuppressWarnings({"unchecked", "rawtypes"})
    RecentBuckets(FilterShape shape) {
        this.shape = shape;
        this.levels = new Map[RecentKeys.levels()];
        for (int level = 0; level < levels.length; level++) {
            levels[level] = new HashMap<>();
        }
    }

    void add(long hash, long nowMillis) {
        for (int level = 0; level < levels.length; level++) {
            long current = RecentKeys.bucket(level, nowMillis);
            byte[] bits = levels[level].get(current);
            if (bits == null) {
                levels[level].keySet().removeIf(bucket -> bucket < current - 1);
                bits = new byte[shape.bytes()];
                levels[level].put(current, bits);
            }
            for (int i = 0; i < shape.hashes(); i++) {
                FlatFilter.set(bits, KeyHash.position(hash, i, shape));
            }
        }
    }

    RecentKeys at(long nowMillis) {
        return RecentKeys.of(
                shape,
                nowMillis,
                (level, bucket) -> FlatFilter.of(shape, levels[level].getOrDefault(bucket, new byte[0])));
    }
}
