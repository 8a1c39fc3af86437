package io.kipimo.bench.tails;

import io.kipimo.bench.machine.FlinkSubject;
import io.kipimo.bench.side.SideRequest;
import io.kipimo.bench.side.SubjectRun;
import io.kipimo.jobs.tails.TailsJob;
import io.kipimo.schemas.topics.Topic;
import org.apache.flink.configuration.Configuration;

/** The product's own job with its default settings, until the last window is readable. */
public final class TailsSubject extends FlinkSubject {
    public TailsSubject() throws Exception {}

    @Override
    public SubjectRun run(SideRequest request) throws Exception {
        Configuration settings = settings(request);
        return runUntilWritten(
                request, Topic.TAILS, settings, env -> TailsJob.define(env, TailsJob.OPTIONS.read(settings)));
    }
}
