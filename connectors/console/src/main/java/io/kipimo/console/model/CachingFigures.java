package io.kipimo.console.model;

import io.kipimo.schemas.caching.CacheTruth;
import io.kipimo.schemas.caching.CachedScope;
import io.kipimo.schemas.caching.CachingWindow;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.Map;
import java.util.TreeMap;

/** The newest window, and the newest truth of each prober, of each table of one service. */
final class CachingFigures {
    private static final int MAXIMUM_TABLES = 100;

    private final Map<String, CachingWindow> tables = new TreeMap<>();
    private final Map<String, CacheTruth> truths = new TreeMap<>();

    void add(CachingWindow window) {
        CachingWindow known = tables.get(window.table());
        if (known == null || window.endMillis() >= known.endMillis()) {
            tables.put(window.table(), window);
        }
        if (tables.size() > MAXIMUM_TABLES) {
            tables.values().remove(oldest());
        }
    }

    void add(CacheTruth truth) {
        truths.merge(
                CachedScope.of(truth.table(), truth.prober()),
                truth,
                (known, other) -> other.endMillis() >= known.endMillis() ? other : known);
        if (truths.size() > MAXIMUM_TABLES) {
            truths.values().remove(Collections.min(truths.values(), Comparator.comparingLong(CacheTruth::endMillis)));
        }
    }

    private CachingWindow oldest() {
        return Collections.min(tables.values(), Comparator.comparingLong(CachingWindow::endMillis));
    }

    boolean isEmpty() {
        return tables.isEmpty() && truths.isEmpty();
    }

    /** In order of table names. */
    Collection<CachingWindow> tables() {
        return tables.values();
    }

    /** In order of tables and probers. */
    Collection<CacheTruth> truths() {
        return truths.values();
    }
}
