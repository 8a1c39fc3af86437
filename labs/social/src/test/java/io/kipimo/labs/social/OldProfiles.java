package io.kipimo.labs.social;

import io.kipimo.labs.social.store.SocialStore;
import java.util.HashMap;
import java.util.Map;

/**
 * A broken store: a cache of profiles without invalidation, which is emptied from time to time. For one user, so a
 * served profile is stale exactly when the store behind it has a different one.
 */
final class OldProfiles extends StoreInFront {
    private static final int KEPT_READS = 20;

    private record Cached(Profile profile, int served) {}

    private final Map<Integer, Cached> cache = new HashMap<>();
    private long staleServed;

    OldProfiles(SocialStore behind) {
        super(behind);
    }

    @Override
    public Profile profile(int member) {
        Profile now = behind.profile(member);
        Cached cached = cache.get(member);
        if (cached == null || cached.served >= KEPT_READS) {
            cached = new Cached(now, 0);
        }
        cache.put(member, new Cached(cached.profile, cached.served + 1));
        if (!cached.profile.equals(now)) {
            staleServed++;
        }
        return cached.profile;
    }

    long staleServed() {
        return staleServed;
    }
}
