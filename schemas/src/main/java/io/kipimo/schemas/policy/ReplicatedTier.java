package io.kipimo.schemas.policy;

import io.kipimo.schemas.field.Name;
import io.kipimo.schemas.field.Range;
import io.kipimo.schemas.replication.TierFactor;

/**
 * A tier whose arbiters follow replication factors.
 *
 * @param name as in topic {@code tails}
 * @param servers M; 0: as many as report
 * @param cores V, of one server; 0: as they report
 * @param maximumFactor bound of what may be tried; 0: as many as there are servers
 */
public record ReplicatedTier(
        @Name String name,
        @Range(most = TierFactor.MOST) int servers,
        @Range(most = TierFactor.MOST) int cores,
        @Range(most = TierFactor.MOST) int maximumFactor) {}
