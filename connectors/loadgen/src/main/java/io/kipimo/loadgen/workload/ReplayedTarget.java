package io.kipimo.loadgen.workload;

import io.kipimo.core.replication.RecordedArrivals;
import io.kipimo.schemas.rating.ExperimentCounts;
import java.util.Optional;

/** A target whose open loads have recorded arrivals. */
public record ReplayedTarget(Target target, RecordedArrivals recorded) implements Target {
    @Override
    public Restoration prepare() {
        return target.prepare();
    }

    @Override
    public Workload open(Share share) {
        return new ForwardingWorkload(target.open(share)) {
            @Override
            public Optional<RecordedArrivals> arrivals() {
                return Optional.of(recorded);
            }
        };
    }

    @Override
    public void after(ExperimentCounts tally) {
        target.after(tally);
    }

    @Override
    public void close() {
        target.close();
    }
}
