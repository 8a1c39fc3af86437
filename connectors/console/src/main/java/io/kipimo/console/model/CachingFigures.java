package io.kipimo.console.model;

import io.kipimo.schemas.caching.CachingWindow;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.Map;
import java.util.TreeMap;

/** The newest window of each table of one service. */
final class CachingFigures {
    private static final int MAXIMUM_TABLES = 100;

    private final Map<String, CachingWindow> tables = new TreeMap<>();

    void add(CachingWindow window) {
        CachingWindow known = tables.get(window.table());
        if (known == null || window.endMillis() >= known.endMillis()) {
            tables.put(window.table(), window);
        }
        if (tables.size() > MAXIMUM_TABLES) {
            tables.values().remove(oldest());
        }
    }

    private CachingWindow oldest() {
        return Collections.min(tables.values(), Comparator.comparingLong(CachingWindow::endMillis));
    }

    boolean isEmpty() {
        return tables.isEmpty();
    }

    /** In order of table names. */
    Collection<CachingWindow> tables() {
        return tables.values();
    }
}
