package io.kipimo.engines;

import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** 1,000 queries, of which some 30 % have a limit, and what measuring adds to the others' latency. */
@Tag("full")
class OpenSearchLongITCase extends OpenSearchContract {
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
