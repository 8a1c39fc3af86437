package io.kipimo.bench.tails;

import io.kipimo.bench.machine.LocalFlink;
import io.kipimo.bench.machine.LogEnds;
import io.kipimo.bench.side.CpuClock;
import io.kipimo.bench.side.Side;
import io.kipimo.bench.side.SideRequest;
import io.kipimo.bench.side.SideRun;
import io.kipimo.jobs.options.KafkaOptions;
import io.kipimo.jobs.tails.TailsJob;
import io.kipimo.jobs.tails.TailsOptions;
import io.kipimo.schemas.topics.Topic;
import java.util.Map;
import org.apache.flink.configuration.Configuration;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;

/** The product's own job with its default settings, until the last window can be read. */
public final class TailsSide implements Side {
    private final LocalFlink flink;

    public TailsSide() throws Exception {
        flink = LocalFlink.start();
    }

    @Override
    public SideRun run(SideRequest request) throws Exception {
        Configuration settings = settings(request);
        return timed(
                flink, request, settings, env -> TailsJob.define(env, TailsOptions.of(settings)));
    }

    /** Runs a job until it has written as many windows as there are. */
    static SideRun timed(
            LocalFlink flink,
            SideRequest request,
            Configuration settings,
            LocalFlink.Definition job)
            throws Exception {
        try (Admin admin =
                Admin.create(
                        Map.of(
                                AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG,
                                request.bootstrapServers()))) {
            LogEnds windows = new LogEnds(admin, Topic.TAILS.name(request.topicPrefix()));
            long wanted = windows.sum() + request.results();
            long cpu = CpuClock.micros();
            long wall = flink.runMicrosUntil(settings, job, () -> windows.sum() >= wanted);
            return new SideRun(request.events(), wall, CpuClock.micros() - cpu, Map.of());
        }
    }

    /** Settings of the job; each repetition reads from the beginning. */
    static Configuration settings(SideRequest request) {
        Configuration settings = Configuration.fromMap(request.settings());
        settings.set(KafkaOptions.BOOTSTRAP_SERVERS.option(), request.bootstrapServers());
        settings.set(KafkaOptions.TOPIC_PREFIX.option(), request.topicPrefix());
        settings.set(KafkaOptions.GROUP_ID.option(), "bench-" + request.repetition());
        return settings;
    }

    @Override
    public void close() throws Exception {
        flink.close();
    }
}
