package io.kipimo.bench.quality;

import io.kipimo.bench.machine.FlinkSubject;
import io.kipimo.bench.side.SideRequest;
import io.kipimo.bench.side.SubjectRun;
import io.kipimo.jobs.options.JoinOptions;
import io.kipimo.jobs.options.JoinPath;
import io.kipimo.jobs.quality.QualityJob;
import io.kipimo.schemas.topics.Topic;
import org.apache.flink.configuration.Configuration;

/** The product's own quality job with the shuffled join. A run ends when the last measurement can be read. */
public class ProductSubject extends FlinkSubject {
    public ProductSubject() throws Exception {}

    @Override
    public SubjectRun run(SideRequest request) throws Exception {
        return run(request, settings(request).set(JoinOptions.PATH.option(), JoinPath.KEYED));
    }

    protected final SubjectRun run(SideRequest request, Configuration settings) throws Exception {
        return runUntilWritten(
                request, Topic.QUALITY, settings, env -> QualityJob.define(env, QualityJob.OPTIONS.read(settings)));
    }
}
