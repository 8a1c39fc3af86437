package io.kipimo.labs.reproductions;

import io.kipimo.simulator.service.FrontEndModel;
import io.kipimo.simulator.service.Query;

/** Admits everything and measures nothing. The result is the tier's counts. */
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
