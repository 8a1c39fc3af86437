package io.kipimo.labs.reproductions;

import io.kipimo.simulator.service.FrontEndModel;
import io.kipimo.simulator.service.Query;

/** A front end that admits every query and measures none. The result of a run is the tier's counts. */
enum UncontrolledFrontEnd implements FrontEndModel {
    INSTANCE;

    @Override
    public boolean admits(Query query) {
        return true;
    }

    @Override
    public boolean isSampled(Query query) {
        return false;
    }

    @Override
    public void answered(Query query) {
        // The tier counts latencies.
    }

    @Override
    public void lateResult(Query query, int partition) {
        // No late results are kept.
    }
}
