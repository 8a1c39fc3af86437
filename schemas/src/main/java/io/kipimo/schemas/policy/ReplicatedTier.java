package io.kipimo.schemas.policy;

/**
 * A tier whose arbiters follow replication factors.
 *
 * @param name as in topic {@code tails}
 * @param servers M; 0: as many as report
 * @param cores V, of one server; 0: as they report
 * @param maximumFactor bound of what may be tried; 0: as many as there are servers
 */
public record ReplicatedTier(String name, int servers, int cores, int maximumFactor) {}
