package io.kipimo.bench.cluster;

import io.kipimo.bench.idle.ProcessUse;
import io.kipimo.bench.machine.FlinkSubject;
import io.kipimo.bench.side.EndOffsets;
import io.kipimo.bench.side.SideRequest;
import io.kipimo.embedded.flink.StandaloneCluster;
import io.kipimo.jobs.JobEnvironment;
import io.kipimo.jobs.options.JoinOptions;
import io.kipimo.jobs.options.JoinPath;
import io.kipimo.jobs.quality.QualityJob;
import io.kipimo.schemas.topics.Topic;
import java.io.IOException;
import java.util.function.ToLongFunction;
import org.apache.flink.api.common.JobID;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.RestartStrategyOptions;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.kafka.clients.admin.Admin;

/** Runs the unbounded quality job on a cluster until all queries are measured. */
final class ClusterRun {
    /** Time between polls. A shorter one would take more processor time on the cores that are measured. */
    private static final long POLL_MILLIS = 50;

    private final StandaloneCluster cluster;
    private final Admin admin;

    ClusterRun(StandaloneCluster cluster, Admin admin) {
        this.cluster = cluster;
        this.admin = admin;
    }

    private JobID start(SideRequest request, JoinPath path, int parallelism) throws Exception {
        Configuration settings = FlinkSubject.settings(request).set(JoinOptions.PATH.option(), path);
        Configuration whole = JobEnvironment.withDefaults(settings);
        // After a restart, the time would count from the second start only.
        whole.set(RestartStrategyOptions.RESTART_STRATEGY, "none");
        StreamExecutionEnvironment env = cluster.environment(whole);
        env.setParallelism(parallelism);
        QualityJob.define(env, QualityJob.OPTIONS.read(settings));
        return env.executeAsync("quality").getJobID();
    }

    /** Starts the job on topics that receive events while it runs. Returns when all its tasks run. */
    Live live(SideRequest request, JoinPath path, int parallelism) throws Exception {
        Live live = new Live(
                start(request, path, parallelism),
                new EndOffsets(
                        admin, Topic.ANSWERS.name(request.topicPrefix()), Topic.PARTIALS.name(request.topicPrefix())),
                new EndOffsets(admin, Topic.QUALITY.name(request.topicPrefix())));
        while (!cluster.areTasksRunning(live.job)) {
            requireGoingOn(live.job);
            Thread.sleep(POLL_MILLIS);
        }
        return live;
    }

    /**
     * Counts of a running job.
     *
     * @param events answers and partial results in the log
     * @param compilerMicros processor time of the JVM's compiler, which works for minutes after a job's start
     * @param remoteBytes bytes that tasks have got from other TaskManagers
     */
    record Counts(
            long nanos, long cpuMicros, long compilerMicros, double events, double remoteBytes, double measurements) {}

    /** A job that runs until it is closed. */
    final class Live implements AutoCloseable {
        private final JobID job;
        private final EndOffsets events;
        private final EndOffsets written;

        private Live(JobID job, EndOffsets events, EndOffsets written) {
            this.job = job;
            this.events = events;
            this.written = written;
        }

        Counts counts() throws Exception {
            requireGoingOn(job);
            return new Counts(
                    System.nanoTime(),
                    micros(ProcessUse::cpuNanos),
                    micros(ProcessUse::compilerNanos),
                    events.sum(),
                    cluster.metricSum(job, "numBytesInRemote"),
                    written.sum());
        }

        @Override
        public void close() throws InterruptedException {
            cancel(job);
        }
    }

    private void requireGoingOn(JobID job) {
        if (cluster.status(job).isGloballyTerminalState()) {
            throw new IllegalStateException("the job ended before it was done");
        }
    }

    /** Cancels the job. Returns when it has ended, so that it takes no processor time from the next run. */
    private void cancel(JobID job) throws InterruptedException {
        cluster.cancel(job);
        while (!cluster.status(job).isGloballyTerminalState()) {
            Thread.sleep(POLL_MILLIS);
        }
    }

    /** Sum of a figure in nanoseconds over the live TaskManagers, in microseconds. */
    private long micros(ToLongFunction<ProcessUse> nanos) throws IOException {
        long sum = 0;
        for (long pid : cluster.taskManagerProcesses()) {
            sum += nanos.applyAsLong(ProcessUse.of(pid)) / 1000;
        }
        return sum;
    }
}
