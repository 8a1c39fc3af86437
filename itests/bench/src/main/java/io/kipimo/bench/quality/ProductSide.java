package io.kipimo.bench.quality;

import io.kipimo.bench.machine.FlinkSide;
import io.kipimo.bench.side.SideRequest;
import io.kipimo.bench.side.SideRun;
import io.kipimo.jobs.quality.QualityJob;
import io.kipimo.jobs.quality.QualityOptions;
import io.kipimo.schemas.topics.Topic;
import org.apache.flink.configuration.Configuration;

/** The product's own job with its default settings, until the last measurement can be read. */
public final class ProductSide extends FlinkSide {
    public ProductSide() throws Exception {}

    @Override
    public SideRun run(SideRequest request) throws Exception {
        Configuration settings = settings(request);
        return runUntilWritten(
                request,
                Topic.QUALITY,
                settings,
                env -> QualityJob.define(env, QualityOptions.of(settings)));
    }
}
