package io.kipimo.loadgen.workload;

import io.kipimo.core.replication.RecordedArrivals;
import io.kipimo.schemas.rating.ExperimentCounts;
import java.util.Optional;

/** A workload that forwards to another one; subclasses change parts of it. */
public class ForwardingWorkload implements Workload {
    private final Workload to;

    protected ForwardingWorkload(Workload to) {
        this.to = to;
    }

    @Override
    public Session session(long user, long seed) {
        return to.session(user, seed);
    }

    @Override
    public boolean blocking() {
        return to.blocking();
    }

    @Override
    public Optional<RecordedArrivals> arrivals() {
        return to.arrivals();
    }

    @Override
    public ExperimentCounts findings() {
        return to.findings();
    }

    @Override
    public void close() {
        to.close();
    }
}
