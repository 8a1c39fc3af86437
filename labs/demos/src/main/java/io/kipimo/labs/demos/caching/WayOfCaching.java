package io.kipimo.labs.demos.caching;

import java.util.Locale;

/** The ways of keeping cached answers fresh that the demo compares. */
enum WayOfCaching {
    NONE("none", "no caches: every read goes to the origin", false, false, false),
    TTL_ONLY("TTL only", "caches keep answers for their estimated times to live", true, false, false),
    FILTER("filter", "and clients revalidate the keys in the filter of stale keys", true, true, false),
    ALL("filter + purge", "and changes are purged from the shared cache", true, true, true);

    private final String title;
    private final String meaning;
    private final boolean hasCaches;
    private final boolean hasFilter;
    private final boolean hasPurges;

    WayOfCaching(String title, String meaning, boolean hasCaches, boolean hasFilter, boolean hasPurges) {
        this.title = title;
        this.meaning = meaning;
        this.hasCaches = hasCaches;
        this.hasFilter = hasFilter;
        this.hasPurges = hasPurges;
    }

    String title() {
        return title;
    }

    String meaning() {
        return meaning;
    }

    boolean hasCaches() {
        return hasCaches;
    }

    boolean hasFilter() {
        return hasFilter;
    }

    boolean hasPurges() {
        return hasPurges;
    }

    /** Name of the table in messages and paths. Every way has records of its own. */
    String table() {
        return "products-" + name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
