package io.kipimo.engines;

import org.junit.jupiter.api.Tag;

/** As often as {@code mvn verify} runs: 150 queries, of which some 30 % are cut. */
@Tag("full")
class SolrITCase extends SolrContract {
    @Override
    int queries() {
        return 150;
    }
}
