package io.kipimo.bench.growth;

import io.kipimo.bench.machine.FlinkSubject;
import io.kipimo.bench.machine.LocalFlink;
import io.kipimo.bench.side.CpuClock;
import io.kipimo.bench.side.EndOffsets;
import io.kipimo.bench.side.SideRequest;
import io.kipimo.bench.side.SubjectRun;
import io.kipimo.jobs.options.JoinOptions;
import io.kipimo.jobs.options.JoinPath;
import io.kipimo.jobs.options.KafkaOptions;
import io.kipimo.jobs.quality.QualityJob;
import io.kipimo.schemas.topics.Topic;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.flink.api.common.JobID;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.runtime.checkpoint.CompletedCheckpointStats;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.TopicPartition;

/** The product's job on a log whose queries all stay open: reads all of it, then takes a full checkpoint. */
public class OpenQueriesSubject extends FlinkSubject {
    /** Key of {@link SubjectRun#details}: bytes of a full checkpoint. */
    static final String STATE_BYTES = "state bytes";

    /** Key: duration of that checkpoint, milliseconds. */
    static final String CHECKPOINT_MILLIS = "checkpoint millis";

    /** Key: growth of the live heap, in bytes, from before the job to when it holds its state. */
    static final String HEAP_BYTES = "heap bytes";

    /** Key: longest time from barrier to snapshot over all tasks, milliseconds. */
    static final String SYNC_MILLIS = "synchronous millis";

    private static final long POLL_MILLIS = 100;

    /**
     * Time between checkpoints while the job reads. Polls are this rare because each takes processor time from the job.
     */
    private static final long CHECKPOINT_EVERY_MILLIS = 2_000;

    public OpenQueriesSubject() throws Exception {}

    OpenQueriesSubject(int slots) throws Exception {
        super(slots);
    }

    /** Settings of a job whose checkpoints are triggered explicitly. */
    static Configuration settings(SideRequest request, JoinPath path) {
        return settings(request)
                .set(JoinOptions.PATH.option(), path)
                .set(CheckpointingOptions.CHECKPOINTING_INTERVAL, Duration.ofDays(1));
    }

    /** Submits the job. Returns when all its tasks run. */
    final JobID start(Configuration settings, int parallelism) throws Exception {
        JobID job =
                flink().submit(settings, parallelism, env -> QualityJob.define(env, QualityJob.OPTIONS.read(settings)));
        while (!flink().isRunning(job)) {
            Thread.sleep(POLL_MILLIS);
        }
        return job;
    }

    @Override
    public SubjectRun run(SideRequest request) throws Exception {
        Configuration settings = settings(request, JoinPath.KEYED);
        long heapBefore = liveHeapBytes();
        long cpu = CpuClock.micros();
        JobID job = start(settings, LocalFlink.SLOTS);
        long start = System.nanoTime();
        awaitAllRead(request, settings, job);
        long wall = (System.nanoTime() - start) / 1000;
        cpu = CpuClock.micros() - cpu;
        long heap = liveHeapBytes() - heapBefore;
        flink().checkpoint(job);
        CompletedCheckpointStats last = flink().lastCheckpoint(job);
        SubjectRun run = new SubjectRun(
                request.events(),
                wall,
                cpu,
                Map.of(
                        STATE_BYTES,
                        (double) last.getStateSize(),
                        CHECKPOINT_MILLIS,
                        (double) last.getEndToEndDuration(),
                        HEAP_BYTES,
                        (double) heap,
                        SYNC_MILLIS,
                        (double) LocalFlink.synchronousMillis(last)));
        flink().cancel(job);
        return run;
    }

    /**
     * Waits until the job has read its whole log. Offsets are committed with checkpoints, so this method takes a
     * checkpoint from time to time.
     */
    final void awaitAllRead(SideRequest request, Configuration settings, JobID job) throws Exception {
        String group = settings.get(KafkaOptions.GROUP_ID.option()) + "-" + QualityJob.NAME;
        try (Admin admin = admin(request)) {
            long all = new EndOffsets(
                            admin,
                            Topic.ANSWERS.name(request.topicPrefix()),
                            Topic.PARTIALS.name(request.topicPrefix()))
                    .sum();
            while (committed(admin, group, request.topicPrefix()) < all) {
                Thread.sleep(CHECKPOINT_EVERY_MILLIS);
                flink().checkpoint(job);
            }
        }
    }

    private static long committed(Admin admin, String group, String prefix)
            throws ExecutionException, InterruptedException {
        var offsets = admin.listConsumerGroupOffsets(group)
                .partitionsToOffsetAndMetadata()
                .get();
        return eventPartitions(admin, prefix)
                .map(offsets::get)
                .filter(Objects::nonNull)
                .mapToLong(offset -> offset.offset())
                .sum();
    }

    private static Stream<TopicPartition> eventPartitions(Admin admin, String prefix)
            throws ExecutionException, InterruptedException {
        return admin
                .describeTopics(Stream.of(Topic.ANSWERS, Topic.PARTIALS)
                        .map(t -> t.name(prefix))
                        .toList())
                .allTopicNames()
                .get()
                .values()
                .stream()
                .flatMap(topic -> IntStream.range(0, topic.partitions().size())
                        .mapToObj(i -> new TopicPartition(topic.name(), i)));
    }

    static long liveHeapBytes() {
        System.gc();
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    }
}
