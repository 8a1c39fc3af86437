package io.kipimo.engines;

import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** 1,000 queries, and what measuring adds to the others' latency. */
@Tag("full")
class SolrLongITCase extends SolrContract {
    @Override
    int queries() {
        return 1_000;
    }

    @Test
    @Order(6)
    void whatMeasuringCostsIsPrinted() throws Exception {
        printAddedLatency();
    }
}
