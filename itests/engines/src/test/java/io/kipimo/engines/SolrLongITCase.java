package io.kipimo.engines;

import org.junit.jupiter.api.Tag;

/** The same with 1,000 queries. */
@Tag("full")
class SolrLongITCase extends SolrContract {
    @Override
    int queries() {
        return 1_000;
    }
}
