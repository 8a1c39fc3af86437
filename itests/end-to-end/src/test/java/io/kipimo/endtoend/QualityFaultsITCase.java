package io.kipimo.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import io.kipimo.embedded.flink.FlinkCluster;
import io.kipimo.embedded.flink.StandaloneCluster;
import io.kipimo.embedded.kafka.KafkaCluster;
import io.kipimo.harness.oracle.TrafficSettings;
import io.kipimo.jobs.options.JoinPath;
import io.kipimo.schemas.topics.Topic;
import io.kipimo.sdk.kafka.KafkaSettings;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.apache.flink.api.common.JobStatus;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/**
 * The quality job under load while its parts fail: three brokers, ZooKeeper, a JobManager and two TaskManagers in JVMs
 * of their own. Rows and counts must equal the oracle's. {@code -Dfaults.queries} and
 * {@code -Dfaults.queries-per-second} set the load, {@code -Dfaults.join-path=LOCAL} runs the join without a shuffle.
 */
@Tag("faults")
@ExtendWith(FaultTable.Extension.class)
class QualityFaultsITCase {
    private static final int QUERIES = Integer.getInteger("faults.queries", 20_000);
    private static final double QUERIES_PER_SECOND = Integer.getInteger("faults.queries-per-second", 500);

    /** Share of the load that is left when the last fault is injected; the job recovers before the load ends. */
    private static final double SHARE_LEFT = 0.2;

    /** Longer than any client's own time-outs. */
    private static final long OUTAGE_SECONDS = Integer.getInteger("faults.outage-seconds", 20);

    /** Long enough for a backlog that takes noticeable time. */
    private static final long LONG_OUTAGE_SECONDS = Integer.getInteger("faults.long-outage-seconds", 60);

    /** The job discovers new partitions every 10 s; records that they receive before may be late. */
    private static final long DISCOVERY_SECONDS = 12;

    private static final long DISORDER_MILLIS = 30_000;

    /** Size of one large record. */
    private static final int MANY_BYTES = 50 << 20;

    private static final int PARTITIONS = 4;

    private static final JoinPath PATH =
            JoinPath.valueOf(System.getProperty("faults.join-path", JoinPath.KEYED.name()));

    private static final int COPIES = 3;

    private static KafkaCluster kafka;
    private static StandaloneCluster cluster;

    @BeforeAll
    static void start() {
        kafka = KafkaCluster.start(COPIES);
        cluster = FlinkCluster.highlyAvailable(2, 2);
    }

    @AfterAll
    static void stop() {
        if (cluster != null) {
            cluster.close();
        }
        if (kafka != null) {
            kafka.close();
        }
    }

    /** Actions on a running job under load. */
    private interface Scenario {
        void play(QualityRun run, PacedLoad load) throws Exception;
    }

    private static void survive(FaultTable table, String fault, Scenario scenario) throws Exception {
        survive(table, fault, UnaryOperator.identity(), scenario);
    }

    private static void survive(
            FaultTable table, String fault, UnaryOperator<TrafficSettings> traffic, Scenario scenario)
            throws Exception {
        String name = PATH == JoinPath.KEYED ? fault : fault + ", join.path " + PATH;
        String prefix = fault.replaceAll("[^A-Za-z0-9]+", "-") + ".";
        try (QualityRun run = QualityRun.start(
                cluster,
                new KafkaSettings(kafka.bootstrapServers(), prefix, Map.of()),
                COPIES,
                traffic.apply(
                        TrafficSettings.before(System.currentTimeMillis(), fault.hashCode(), QUERIES, PARTITIONS)),
                PATH)) {
            double recordsPerSecond = QUERIES_PER_SECOND * run.records().size() / QUERIES;
            try (PacedLoad load = run.load(run.records(), recordsPerSecond)) {
                run.awaitCheckpoint();
                scenario.play(run, load);
            }
            QualityRun.Verdict verdict = run.finish();
            table.add(new FaultTable.Row(
                    name, run.faults(), Optional.of(verdict), OptionalLong.empty(), run.longestRecoverySeconds()));
            assertThat(verdict).as(name).matches(QualityRun.Verdict::isRight);
            assertThat(run.longestRecoverySeconds()).as("recovery, s").isFinite();
        }
    }

    /** Injects and ends a fault repeatedly while the load lasts. */
    private static void whileItLasts(PacedLoad load, Scenario once, QualityRun run) throws Exception {
        do {
            once.play(run, load);
            run.awaitCheckpoint();
        } while (load.hasLeft(SHARE_LEFT));
    }

    @Test
    void taskManagersAreKilled(FaultTable table) throws Exception {
        survive(
                table,
                "TaskManager kill -9",
                (run, load) -> whileItLasts(load, QualityFaultsITCase::killTaskManager, run));
    }

    private static void killTaskManager(QualityRun run, PacedLoad load) throws Exception {
        long restarts = cluster.restarts(run.job());
        run.inject(cluster::killOldestTaskManager);
        cluster.replaceTaskManagers();
        run.awaitRecovery(load, () -> cluster.restarts(run.job()) > restarts);
    }

    @Test
    void theJobManagerIsKilled(FaultTable table) throws Exception {
        survive(
                table,
                "JobManager kill -9, with ZooKeeper",
                (run, load) -> whileItLasts(load, QualityFaultsITCase::killJobManager, run));
    }

    private static void killJobManager(QualityRun run, PacedLoad load) throws Exception {
        run.inject(cluster::killJobManager);
        cluster.startJobManager();
        run.awaitRecovery(load, () -> isRunningAgain(run));
    }

    private static boolean isRunningAgain(QualityRun run) {
        return cluster.status(run.job()) == JobStatus.RUNNING && cluster.areTasksRunning(run.job());
    }

    @Test
    void theLeadingBrokerIsKilled(FaultTable table) throws Exception {
        survive(
                table,
                "leading broker of three kill -9",
                (run, load) -> whileItLasts(load, QualityFaultsITCase::killLeader, run));
    }

    private static void killLeader(QualityRun run, PacedLoad load) throws Exception {
        int leader = kafka.leader(run.kafka().name(Topic.ANSWERS), 0);
        run.inject(() -> kafka.kill(leader));
        run.awaitRecovery(load, () -> true);
        kafka.revive(leader);
        kafka.awaitAll();
    }

    /** Action on a broker. */
    private interface Act {
        void on(int broker) throws Exception;
    }

    /** The leading broker is down for some time. */
    private static void outage(QualityRun run, PacedLoad load, Act begin, Act end) throws Exception {
        int leader = kafka.leader(run.kafka().name(Topic.ANSWERS), 0);
        run.inject(() -> {
            begin.on(leader);
            TimeUnit.SECONDS.sleep(OUTAGE_SECONDS);
            end.on(leader);
        });
        run.awaitRecovery(load, () -> true);
        kafka.awaitAll();
    }

    @Test
    void theLeadingBrokerIsPaused(FaultTable table) throws Exception {
        survive(
                table,
                "leading broker of three paused for " + OUTAGE_SECONDS + " s",
                (run, load) -> outage(run, load, kafka::pause, kafka::resume));
    }

    @Test
    void aBrokerIsCutOffFromItsClients(FaultTable table) throws Exception {
        survive(
                table,
                "a broker's clients cut off for " + OUTAGE_SECONDS + " s",
                (run, load) -> outage(
                        run, load, b -> kafka.door(b).cut(), b -> kafka.door(b).heal()));
    }

    @Test
    void connectionsToABrokerAreHalfOpen(FaultTable table) throws Exception {
        survive(
                table,
                "a broker's connections half open for " + OUTAGE_SECONDS + " s",
                (run, load) -> outage(run, load, b -> kafka.door(b).silence(), b -> kafka.door(b)
                        .heal()));
    }

    /** For changes that do not stop the job: when all but a share has been sent, rows of it must follow soon. */
    private static void awaitRowsOfMost(QualityRun run, PacedLoad load, double shareLeft) throws Exception {
        run.inject(() -> {
            while (load.hasLeft(shareLeft)) {
                TimeUnit.MILLISECONDS.sleep(50);
            }
        });
        run.awaitRecovery(load, () -> true);
    }

    @Test
    void inputIsDirty(FaultTable table) throws Exception {
        survive(
                table,
                "disorder of 30 s, clocks behind, a record of 50 MB",
                traffic -> traffic.dirty(DISORDER_MILLIS),
                (run, load) -> {
                    run.sendUnreadable(MANY_BYTES);
                    run.countAsFaults(run.badRecords());
                    awaitRowsOfMost(run, load, SHARE_LEFT);
                });
    }

    @Test
    void oneQueryIsHot(FaultTable table) throws Exception {
        survive(
                table,
                "one query has half of all events",
                TrafficSettings::withHotQuery,
                (run, load) -> awaitRowsOfMost(run, load, SHARE_LEFT));
    }

    @Test
    void allInputStops(FaultTable table) throws Exception {
        survive(
                table,
                "all input stops",
                TrafficSettings::endingInSilence,
                (run, load) -> awaitRowsOfMost(run, load, 0));
    }

    @Test
    void partitionsAreAdded(FaultTable table, @TempDir Path savepoints) throws Exception {
        survive(table, "partitions 4 to 8", traffic -> traffic.withPartitions(2 * PARTITIONS), (run, load) -> {
            run.inject(() -> {
                run.growPartitions();
                if (PATH == JoinPath.LOCAL) {
                    // It takes the number of partitions when it is submitted.
                    run.rescale(PARTITIONS, savepoints);
                } else {
                    TimeUnit.SECONDS.sleep(DISCOVERY_SECONDS);
                }
            });
            assertThat(load.hasLeft(0)).as("the load is still running").isTrue();
            load.useAllPartitions();
            run.awaitRecovery(load, () -> true);
        });
    }

    @Test
    void anOutageLeavesABacklog(FaultTable table) throws Exception {
        survive(table, "all TaskManagers away for " + LONG_OUTAGE_SECONDS + " s", (run, load) -> {
            long restarts = cluster.restarts(run.job());
            run.inject(() -> {
                cluster.killOldestTaskManager();
                cluster.killOldestTaskManager();
                TimeUnit.SECONDS.sleep(LONG_OUTAGE_SECONDS);
                cluster.replaceTaskManagers();
            });
            run.awaitRecovery(load, () -> cluster.restarts(run.job()) > restarts);
        });
    }

    @Test
    void theJobIsRescaledUnderLoad(FaultTable table, @TempDir Path savepoints) throws Exception {
        survive(table, "savepoint and rescale 4 to 2 to 4", (run, load) -> {
            for (int parallelism : new int[] {2, 4}) {
                run.inject(() -> run.rescale(parallelism, savepoints));
                run.awaitRecovery(load, () -> isRunningAgain(run));
                run.awaitCheckpoint();
            }
        });
    }
}
