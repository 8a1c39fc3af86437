package io.kipimo.engines;

import io.kipimo.core.Effort;

/** As often as {@code mvn verify} runs: 40 queries, of which some 30 % have a limit. */
class SolrITCase extends SolrContract {
    @Override
    int queries() {
        return 40;
    }

    /** Nodes are stopped in {@code -Pfull} alone. */
    @Override
    int nodes() {
        return Effort.of(1, NODES);
    }

    @Override
    int documents() {
        return 4_000;
    }
}
