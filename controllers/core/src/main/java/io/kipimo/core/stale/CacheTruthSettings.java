package io.kipimo.core.stale;

import io.kipimo.schemas.caching.CacheLink;
import io.kipimo.schemas.caching.CacheTruth;
import java.util.List;

/**
 * What a prober promises to find out.
 *
 * @param withinMillis times within which reads are to be fresh, ascending, each above 0
 * @param sharedCaches number of shared caches, at least 0
 * @param isPurged whether entries that became stale are purged from them; otherwise shared caches without a filter may
 *     serve an entry until it expires, and only expired ones are stale
 * @param mostKeys most keys that are watched, at least 1
 */
public record CacheTruthSettings(List<Long> withinMillis, int sharedCaches, boolean isPurged, int mostKeys) {
    /** @throws IllegalArgumentException if a value is out of range */
    public CacheTruthSettings {
        withinMillis = withinMillis.stream().distinct().sorted().toList();
        int most = CacheTruth.MOST_LINKS / CacheLink.values().length;
        if (withinMillis.isEmpty()
                || withinMillis.size() > most
                || withinMillis.get(0) < 1
                || withinMillis.get(withinMillis.size() - 1) > 86_400_000) {
            throw new IllegalArgumentException(
                    "within is " + withinMillis + " ms; allowed: 1 to " + most + " times of at most a day");
        }
        if (mostKeys < 1 || mostKeys > 1_000_000) {
            throw new IllegalArgumentException("watched keys are " + mostKeys + "; allowed: 1..1000000");
        }
    }
}
