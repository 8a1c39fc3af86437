package io.kipimo.schemas.policy;

import io.kipimo.schemas.field.Name;
import io.kipimo.schemas.field.Range;
import io.kipimo.schemas.replication.TierFactor;

/**
 * A tier whose arbiters apply replication factors.
 *
 * @param name name in topic {@code tails}
 * @param servers M, number of servers; 0: as many as report
 * @param cores V, cores of one server; 0: as many as servers report
 * @param maximumFactor upper bound of factors; 0: the number of servers
 */
public record ReplicatedTier(
        @Name String name,
        @Range(most = TierFactor.MOST) int servers,
        @Range(most = TierFactor.MOST) int cores,
        @Range(most = TierFactor.MOST) int maximumFactor) {}
