package io.kipimo.bench.quality;

import io.kipimo.bench.machine.LocalFlink;
import io.kipimo.bench.side.CpuClock;
import io.kipimo.bench.side.Side;
import io.kipimo.bench.side.SideRequest;
import io.kipimo.bench.side.SideRun;
import io.kipimo.jobs.options.KafkaOptions;
import io.kipimo.jobs.quality.QualityJob;
import io.kipimo.jobs.quality.QualityOptions;
import java.util.Map;
import org.apache.flink.configuration.Configuration;

/** The product's own job with its default settings, up to the end of its topics. */
public final class ProductSide implements Side {
    private final LocalFlink flink;

    public ProductSide() throws Exception {
        flink = LocalFlink.start();
    }

    @Override
    public SideRun run(SideRequest request) throws Exception {
        Configuration settings = settings(request);
        settings.set(KafkaOptions.BOUNDED.option(), true);
        long cpu = CpuClock.micros();
        long wall =
                flink.runMicros(
                        settings, env -> QualityJob.define(env, QualityOptions.of(settings)));
        return new SideRun(request.events(), wall, CpuClock.micros() - cpu, Map.of());
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
