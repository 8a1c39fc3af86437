package io.kipimo.console.model;

import io.kipimo.schemas.caching.CacheTruth;
import io.kipimo.schemas.caching.CachedScope;
import io.kipimo.schemas.caching.CachingWindow;
import java.util.Collection;

/** The newest window of each table of one service, and the newest truth that each prober reports for a table. */
final class CachingFigures {
    private final Newest<CachingWindow> tables = new Newest<>(CachingWindow::endMillis);
    private final Newest<CacheTruth> truths = new Newest<>(CacheTruth::endMillis);

    void add(CachingWindow window) {
        tables.add(window.table(), window);
    }

    void add(CacheTruth truth) {
        truths.add(CachedScope.of(truth.table(), truth.prober()), truth);
    }

    boolean isEmpty() {
        return tables.all().isEmpty() && truths.all().isEmpty();
    }

    /** The newest window of each table, in order of table names. */
    Collection<CachingWindow> tables() {
        return tables.all();
    }

    /** The newest truths, in order of tables and probers. */
    Collection<CacheTruth> truths() {
        return truths.all();
    }
}
