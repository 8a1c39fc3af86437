/**
 * Reads sampled keys through caches and compares the answers with the origin's, as Meta's Polaris does. Read
 * {@link io.kipimo.caching.truth.TruthProber} first; {@link io.kipimo.core.stale.CacheTruthProbe} judges.
 */
package io.kipimo.caching.truth;
