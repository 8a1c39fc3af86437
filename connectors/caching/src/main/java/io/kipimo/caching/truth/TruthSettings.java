package io.kipimo.caching.truth;

import io.kipimo.caching.purge.KeyPaths;
import io.kipimo.caching.purge.PurgeSettings;
import io.kipimo.core.stale.CacheTruthSettings;
import io.kipimo.schemas.field.Names;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * What to read, and where.
 *
 * @param prober name of this process
 * @param tables service/table each
 * @param origin address without a path; the truth
 * @param caches shared caches, likewise; the client reads through the first one
 * @param filter address of the filter of stale keys; empty: clients have none
 * @param refreshMillis Delta of the client, above 0
 * @param timeout time-out of one request, above 0
 */
public record TruthSettings(
        String prober,
        Set<String> tables,
        URI origin,
        List<URI> caches,
        Optional<URI> filter,
        KeyPaths paths,
        long refreshMillis,
        Duration timeout,
        CacheTruthSettings truth) {
    /** @throws IllegalArgumentException if a value is out of range */
    public TruthSettings {
        if (!Names.isName(prober)) {
            throw new IllegalArgumentException("prober is '"
                    + Names.cut(prober, 100)
                    + "'; allowed: 1 to "
                    + Names.LONGEST
                    + " characters without '/'");
        }
        tables = Set.copyOf(tables);
        caches = List.copyOf(caches);
        PurgeSettings.checkServer("origin", origin);
        caches.forEach(cache -> PurgeSettings.checkServer("cache", cache));
        if (refreshMillis < 1) {
            throw new IllegalArgumentException("refresh is " + refreshMillis + " ms; allowed: from 1");
        }
    }
}
