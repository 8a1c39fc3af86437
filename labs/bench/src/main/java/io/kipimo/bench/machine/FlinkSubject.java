package io.kipimo.bench.machine;

import io.kipimo.bench.side.Allocation;
import io.kipimo.bench.side.BenchmarkSubject;
import io.kipimo.bench.side.CpuClock;
import io.kipimo.bench.side.EndOffsets;
import io.kipimo.bench.side.FirstEvent;
import io.kipimo.bench.side.SideRequest;
import io.kipimo.bench.side.SubjectRun;
import io.kipimo.jobs.options.KafkaOptions;
import io.kipimo.schemas.topics.Topic;
import java.util.Map;
import org.apache.flink.api.common.JobID;
import org.apache.flink.configuration.Configuration;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;

/** A subject that is a Flink job. It has its own Flink, which keeps running between repetitions. */
public abstract class FlinkSubject implements BenchmarkSubject {
    private final LocalFlink flink;

    protected FlinkSubject() throws Exception {
        this(LocalFlink.SLOTS);
    }

    protected FlinkSubject(int slots) throws Exception {
        flink = LocalFlink.start(slots);
    }

    protected final LocalFlink flink() {
        return flink;
    }

    /** Settings of the job; each repetition reads from the beginning. */
    public static Configuration settings(SideRequest request) {
        Configuration settings = Configuration.fromMap(request.settings());
        settings.set(KafkaOptions.BOOTSTRAP_SERVERS.option(), request.bootstrapServers());
        settings.set(KafkaOptions.TOPIC_PREFIX.option(), request.topicPrefix());
        settings.set(KafkaOptions.GROUP_ID.option(), "bench-" + request.repetition());
        return settings;
    }

    /** Runs an unbounded job until it has written the expected number of results. */
    protected final SubjectRun runUntilWritten(
            SideRequest request, Topic results, Configuration settings, LocalFlink.Definition job) throws Exception {
        try (Admin admin = admin(request);
                FirstEvent first = FirstEvent.of(request)) {
            EndOffsets written = new EndOffsets(admin, results.name(request.topicPrefix()));
            long wanted = written.sum() + request.results();
            long cpu = CpuClock.micros();
            Allocation allocation = Allocation.start();
            JobID id = flink.runUntil(settings, job, () -> written.sum() >= wanted);
            long wall = first.microsSince();
            double bytes = allocation.bytes();
            flink.cancel(id);
            return new SubjectRun(
                    request.events(),
                    wall,
                    CpuClock.micros() - cpu,
                    Map.of(SubjectRun.BYTES_PER_EVENT, bytes / request.events()));
        }
    }

    protected static Admin admin(SideRequest request) {
        return Admin.create(Map.of(AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG, request.bootstrapServers()));
    }

    @Override
    public final void close() throws Exception {
        flink.close();
    }
}
