package io.kipimo.bench.quality;

import io.kipimo.bench.side.SideRequest;
import io.kipimo.bench.side.SubjectRun;
import io.kipimo.jobs.options.JoinOptions;
import io.kipimo.jobs.options.JoinPath;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.StateBackendOptions;

/** The product's own quality job, with the join in the task of the source and state on the heap. */
public final class LocalJoinSubject extends ProductSubject {
    public LocalJoinSubject() throws Exception {}

    @Override
    public SubjectRun run(SideRequest request) throws Exception {
        Configuration settings = settings(request);
        settings.set(JoinOptions.PATH.option(), JoinPath.LOCAL);
        settings.set(StateBackendOptions.STATE_BACKEND, "hashmap");
        return run(request, settings);
    }
}
