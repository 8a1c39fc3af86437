package io.kipimo.endtoend;

import static io.kipimo.testing.Patience.PATIENCE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.kipimo.embedded.flink.FlinkCluster;
import io.kipimo.embedded.kafka.TopicLog;
import io.kipimo.endtoend.backends.Backends;
import io.kipimo.endtoend.backends.WithBackends;
import io.kipimo.endtoend.tiers.ServerTime;
import io.kipimo.endtoend.tiers.TieredService;
import io.kipimo.jobs.JobEnvironment;
import io.kipimo.jobs.options.KafkaOptions;
import io.kipimo.jobs.replication.ReplicationJob;
import io.kipimo.jobs.tails.TailsJob;
import io.kipimo.schemas.codec.Codecs;
import io.kipimo.schemas.replication.ReplicationDecision;
import io.kipimo.schemas.topics.Topic;
import io.kipimo.sdk.internal.kafka.PolicyStore;
import io.kipimo.sdk.internal.kafka.TopicAdmin;
import io.kipimo.sdk.kafka.KafkaSettings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.awaitility.core.ConditionTimeoutException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Replication end to end: two tiers of servers, a reporting gateway before each, the tails job, the replication job, a
 * real broker, and both gateways following the decisions. In the first tier a sixth of the copies take forty times as
 * long. So a second copy reduces a request's tail latency there. Both gateways follow an override of both tiers.
 *
 * <p>The proof is of real latencies: on a busy machine all requests are slow, trials end without proof, and no search
 * begins before the load changes. So this runs with {@code -Pfull} only; {@link ReplicationJobITCase} has windows of
 * known latencies.
 */
@Tag("full")
@WithBackends
class ReplicationLoopITCase {

    /** A search with trials of at most a minute. */
    private static final Duration PATIENCE_FOR_SEARCH = Duration.ofMinutes(2);

    private static final int ATTEMPTS = 5;

    private static final Duration LEASE = Duration.ofSeconds(5);
    private static final int REQUESTS_PER_SECOND = 60;

    /** Usually 5 ms, sometimes much more. Slow copies are independent of each other, so another copy helps. */
    private static ServerTime mostlyFive() {
        Random random = new Random(1);
        return (server, now) -> random.nextDouble() < 1 / 6.0 ? 200 : 5;
    }

    private static Configuration config(KafkaSettings kafka, String job) {
        Configuration config = new Configuration();
        config.set(KafkaOptions.BOOTSTRAP_SERVERS.option(), kafka.bootstrapServers());
        config.set(KafkaOptions.TOPIC_PREFIX.option(), kafka.topicPrefix());
        config.set(KafkaOptions.GROUP_ID.option(), kafka.topicPrefix() + job);
        config.set(KafkaOptions.OUT_OF_ORDERNESS.option(), Duration.ofMillis(200));
        config.set(CheckpointingOptions.CHECKPOINTING_INTERVAL, Duration.ofMillis(500));
        config.setString("parallelism.default", "1");
        return config;
    }

    private static void startJobs(FlinkCluster cluster, KafkaSettings kafka) throws Exception {
        Configuration tails = config(kafka, "tails");
        tails.setString("tails.window", "1 s");
        tails.setString("tails.sliding-window", "20 s");
        tails.setString("tails.sliding-every", "10 s");
        StreamExecutionEnvironment env = cluster.environment(JobEnvironment.withDefaults(tails));
        TailsJob.define(env, TailsJob.OPTIONS.read(tails));
        env.executeAsync("tails");
        Configuration replication = config(kafka, "replication");
        env = cluster.environment(JobEnvironment.withDefaults(replication));
        ReplicationJob.define(env, ReplicationJob.OPTIONS.read(replication));
        env.executeAsync("replication");
    }

    private static void awaitCopies(TieredService service, int first, int last) {
        await("copies are %d and %d".formatted(first, last))
                .atMost(PATIENCE)
                .until(() -> service.copiesInFirst() == first && service.copiesInLast() == last);
    }

    private static ReplicationDecision awaitDecision(
            TopicLog<ReplicationDecision> log, String what, long afterEpoch, Predicate<ReplicationDecision> wanted) {
        return await(what)
                .atMost(PATIENCE)
                .until(
                        () -> log.readOn().stream()
                                .filter(d -> d.epoch() > afterEpoch)
                                .filter(wanted)
                                .reduce((first, second) -> second),
                        Optional::isPresent)
                .orElseThrow();
    }

    /** Kills a TaskManager in a trial, or soon after one; returns the last decision before. */
    private static ReplicationDecision killInATrial(
            FlinkCluster cluster,
            int taskManager,
            KafkaSettings kafka,
            TieredService service,
            TopicLog<ReplicationDecision> log)
            throws Exception {
        var unused =
                searching(kafka, log, () -> Optional.of(service.copiesInFirst()).filter(c -> c > 1));
        cluster.killTaskManager(taskManager);
        // The trial's factors end with the lease; proven factors stay.
        await("the first gateway copies no more").atMost(PATIENCE).until(() -> service.copiesInFirst() == 1);
        List<ReplicationDecision> decisions = log.readOn();
        return decisions.get(decisions.size() - 1);
    }

    /**
     * What a search brings. On a busy machine one may end without proof, and the next begins when the load changes,
     * which it does not here. Then a person's word begins it anew.
     */
    private static <T> T searching(
            KafkaSettings kafka, TopicLog<ReplicationDecision> log, Supplier<Optional<T>> found) {
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            try {
                return await().atMost(PATIENCE_FOR_SEARCH)
                        .until(found::get, Optional::isPresent)
                        .orElseThrow();
            } catch (ConditionTimeoutException e) {
                command(kafka, "override", "factors", "pages", "1", "1", "--for=5s", "--reason=search anew");
            }
        }
        throw new AssertionError("no search succeeded: " + told(log));
    }

    /** Each change of reason or factors, with what it broke. */
    private static List<String> told(TopicLog<ReplicationDecision> log) {
        List<String> told = new ArrayList<>();
        for (ReplicationDecision d : log.readOn()) {
            String line = "%d %s %s %s %s".formatted(d.epoch(), d.reason(), factors(d), d.broken(), d.evidence());
            if (told.isEmpty() || !told.get(told.size() - 1).equals(line)) {
                told.add(line);
            }
        }
        return told;
    }

    private static List<Integer> factors(ReplicationDecision decision) {
        return decision.tiers().stream().map(t -> t.factor()).toList();
    }

    @Test
    void factorsFollowTailsAndPersonsAndNeverStayWrongWithoutAJob(Backends backends) throws Exception {
        KafkaSettings kafka = new KafkaSettings(backends.bootstrapServers(), "replication-loop.", Map.of());
        TopicAdmin.createMissing(kafka, 1, (short) 1);
        PolicyStore.publish(kafka, PagesPolicy.of(1_000, LEASE));
        try (FlinkCluster cluster = FlinkCluster.standalone(1, 2);
                TieredService service = new TieredService(
                        "pages", kafka, mostlyFive(), (server, now) -> 2, REQUESTS_PER_SECOND, micros -> {});
                TopicLog<ReplicationDecision> log =
                        new TopicLog<>(kafka, Topic.REPLICATION, Codecs.REPLICATION_DECISION)) {
            startJobs(cluster, kafka);
            int taskManager = 0;
            ReplicationDecision last = killInATrial(cluster, taskManager, kafka, service, log);
            // On a busy machine the trial may have ended before the kill.
            while (!last.inTrial() && taskManager < ATTEMPTS) {
                cluster.startTaskManager();
                taskManager++;
                last = killInATrial(cluster, taskManager, kafka, service, log);
            }
            assertThat(last.inTrial()).as("killed in a trial: %s", told(log)).isTrue();
            cluster.startTaskManager();

            // On a busy machine a trial of the other tier may be kept first, by chance.
            long killedEpoch = last.epoch();
            ReplicationDecision kept = searching(kafka, log, () -> log.readOn().stream()
                    .filter(d -> d.epoch() > killedEpoch)
                    .filter(d -> d.reason().equals("TRIAL_KEPT"))
                    .filter(d -> factors(d).get(0) > 1)
                    .findFirst());
            assertThat(kept.evidence().orElseThrow().trialMicros())
                    .as("%s", kept)
                    .isLessThan(kept.evidence().orElseThrow().baselineMicros());
            await("the first gateway follows").atMost(PATIENCE).until(() -> service.copiesInFirst() > 1);

            command(kafka, "override", "factors", "pages", "1", "2", "--for=10m", "--reason=drill");
            awaitCopies(service, 1, 2);
            command(kafka, "policy", "kill", "pages");
            awaitCopies(service, 1, 1);

            ReplicationDecision killed = awaitDecision(
                    log, "the kill switch is published", 0, d -> d.reason().equals("KILL_SWITCH"));
            cluster.killTaskManager(taskManager + 1);
            cluster.startTaskManager();
            ReplicationDecision again = awaitDecision(log, "another attempt decides", killed.epoch(), d -> true);
            assertThat(again.reason()).isEqualTo("KILL_SWITCH");
            assertThat(log.readOn().stream().dropWhile(d -> !d.equals(killed)))
                    .allSatisfy(d -> assertThat(factors(d)).containsExactly(1, 1));

            command(kafka, "policy", "unkill", "pages");
            awaitCopies(service, 1, 2);
        }
    }

    private static void command(KafkaSettings kafka, String... arguments) {
        assertThat(PagesPolicy.command(kafka, arguments))
                .as("kipimo %s", String.join(" ", arguments))
                .isZero();
    }
}
