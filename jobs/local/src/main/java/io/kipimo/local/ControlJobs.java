package io.kipimo.local;

import io.kipimo.jobs.admission.AdmissionJob;
import io.kipimo.jobs.quality.QualityJob;
import io.kipimo.jobs.tails.TailsJob;
import java.util.HashMap;
import java.util.Map;

/** The jobs that measure a service and control its admission. */
public final class ControlJobs {
    private static final Map<String, String> OPTIONS = Map.of("source.idleness", "2 s");

    private ControlJobs() {}

    /** Starts the quality, admission and tails jobs. */
    public static void start(LocalPlatform platform) throws Exception {
        platform.run(
                QualityJob.NAME, OPTIONS, (env, options) -> QualityJob.define(env, QualityJob.OPTIONS.read(options)));
        Map<String, String> withRedis = new HashMap<>(OPTIONS);
        withRedis.putAll(platform.redisOptions());
        platform.run(
                AdmissionJob.NAME,
                withRedis,
                (env, options) -> AdmissionJob.define(env, AdmissionJob.OPTIONS.read(options)));
        platform.run(TailsJob.NAME, OPTIONS, (env, options) -> TailsJob.define(env, TailsJob.OPTIONS.read(options)));
    }
}
