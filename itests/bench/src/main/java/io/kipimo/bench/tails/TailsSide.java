package io.kipimo.bench.tails;

import io.kipimo.bench.machine.FlinkSide;
import io.kipimo.bench.side.SideRequest;
import io.kipimo.bench.side.SideRun;
import io.kipimo.jobs.tails.TailsJob;
import io.kipimo.jobs.tails.TailsOptions;
import io.kipimo.schemas.topics.Topic;
import org.apache.flink.configuration.Configuration;

/** The product's own job with its default settings, until the last window can be read. */
public final class TailsSide extends FlinkSide {
    public TailsSide() throws Exception {}

    @Override
    public SideRun run(SideRequest request) throws Exception {
        Configuration settings = settings(request);
        return runUntilWritten(
                request,
                Topic.TAILS,
                settings,
                env -> TailsJob.define(env, TailsOptions.of(settings)));
    }
}
