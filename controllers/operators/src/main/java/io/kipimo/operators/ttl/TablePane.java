package io.kipimo.operators.ttl;

import io.kipimo.core.ttl.CachingPane;
import io.kipimo.schemas.caching.CachedScope;

/**
 * Partial sums of a table in one window.
 *
 * @param startMillis start of the window, epoch milliseconds
 */
record TablePane(String service, String table, long startMillis, CachingPane pane) {
    String scope() {
        return CachedScope.of(service, table);
    }
}
