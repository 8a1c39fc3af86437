package io.kipimo.local;

import io.kipimo.jobs.admission.AdmissionJob;
import io.kipimo.jobs.quality.QualityJob;
import io.kipimo.jobs.tails.TailsJob;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Starts the jobs that measure a service and control its admission. */
public final class ControlJobs {
    private static final Map<String, String> OPTIONS = Map.of("source.idleness", "2 s");

    private ControlJobs() {}

    /** Starts the quality, admission and tails jobs side by side. */
    public static void start(LocalPlatform platform) throws Exception {
        Map<String, String> withRedis = new HashMap<>(OPTIONS);
        withRedis.putAll(platform.redisOptions());
        List<Callable<Void>> jobs = List.of(
                job(
                        platform,
                        QualityJob.NAME,
                        OPTIONS,
                        (env, options) -> QualityJob.define(env, QualityJob.OPTIONS.read(options))),
                job(
                        platform,
                        AdmissionJob.NAME,
                        withRedis,
                        (env, options) -> AdmissionJob.define(env, AdmissionJob.OPTIONS.read(options))),
                job(
                        platform,
                        TailsJob.NAME,
                        OPTIONS,
                        (env, options) -> TailsJob.define(env, TailsJob.OPTIONS.read(options))));
        ExecutorService threads = Executors.newFixedThreadPool(jobs.size());
        try {
            for (Future<Void> started : threads.invokeAll(jobs)) {
                started.get();
            }
        } catch (ExecutionException e) {
            throw e.getCause() instanceof Exception failure ? failure : e;
        } finally {
            threads.shutdownNow();
        }
    }

    private static Callable<Void> job(
            LocalPlatform platform, String name, Map<String, String> options, LocalPlatform.JobDefinition definition) {
        return () -> {
            platform.run(name, options, definition);
            return null;
        };
    }
}
