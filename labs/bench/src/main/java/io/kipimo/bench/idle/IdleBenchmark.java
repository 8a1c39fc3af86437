package io.kipimo.bench.idle;

import io.kipimo.bench.machine.BrokerProcess;
import io.kipimo.bench.machine.JobProcess;
import io.kipimo.bench.report.Benchmark;
import io.kipimo.bench.report.Context;
import io.kipimo.bench.report.Result;
import io.kipimo.bench.report.Table;
import io.kipimo.bench.workload.WorkloadRecorder;
import io.kipimo.jobs.submission.KipimoJob;
import io.kipimo.sdk.kafka.KafkaSettings;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Runs all jobs at the same time, each in a JVM of its own, on topics without records. Measures each job's processor
 * time and how often its threads wake. The peer is Flink alone.
 */
public final class IdleBenchmark implements Benchmark {
    @Override
    public Result run(Context context) throws Exception {
        int settleSeconds = context.choose(10, 60, 120);
        int seconds = context.choose(5, 60, 300);
        Table table = new Table("Without input");
        List<JobProcess> jobs = new ArrayList<>();
        try (BrokerProcess broker = BrokerProcess.start()) {
            KafkaSettings kafka = broker.settings("idle.");
            WorkloadRecorder.prepare(kafka);
            String backend = context.backend().flinkName();
            jobs.add(new JobProcess(BareFlink.class, BareFlink.NAME, kafka, backend, Map.of()));
            for (KipimoJob job : KipimoJob.values()) {
                jobs.add(new JobProcess(job.jobName(), kafka, backend, Map.of()));
            }
            context.say("%d jobs settle for %d s", jobs.size(), settleSeconds);
            Thread.sleep(settleSeconds * 1_000L);
            List<ProcessUse> before = uses(jobs);
            context.say("measuring for %d s", seconds);
            Thread.sleep(seconds * 1_000L);
            List<ProcessUse> after = uses(jobs);
            double bare = rest(after.get(0).since(before.get(0)));
            for (int i = 0; i < jobs.size(); i++) {
                ProcessUse.Rate rate = after.get(i).since(before.get(i));
                table.row()
                        .cell("job", jobs.get(i).name())
                        .cell("% of a core", rate.cores() * 100)
                        .cell("of which JIT compiler", rate.compilerCores() * 100)
                        .cell("rest, more than bare flink", (rest(rate) - bare) * 100)
                        .cell("wake-ups/s", rate.wakeUpsPerSecond());
            }
        } finally {
            jobs.forEach(JobProcess::close);
        }
        return new Result(List.of(table), List.of("default settings, parallelism 2, a checkpoint every 10 s"));
    }

    /** Cores in use without the JVM's compiler, which works for minutes after a start even if nothing else does. */
    private static double rest(ProcessUse.Rate rate) {
        return rate.cores() - rate.compilerCores();
    }

    private static List<ProcessUse> uses(List<JobProcess> jobs) throws Exception {
        List<ProcessUse> uses = new ArrayList<>();
        for (JobProcess job : jobs) {
            job.requireAlive();
            uses.add(ProcessUse.of(job.pid()));
        }
        return uses;
    }
}
