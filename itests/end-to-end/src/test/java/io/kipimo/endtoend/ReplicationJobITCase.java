package io.kipimo.endtoend;

import static io.kipimo.testing.Patience.PATIENCE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.kipimo.core.tails.LatencySketch;
import io.kipimo.embedded.flink.FlinkCluster;
import io.kipimo.embedded.kafka.TopicLog;
import io.kipimo.endtoend.backends.Backends;
import io.kipimo.endtoend.backends.WithBackends;
import io.kipimo.jobs.JobEnvironment;
import io.kipimo.jobs.replication.ReplicationJob;
import io.kipimo.schemas.codec.Codecs;
import io.kipimo.schemas.policy.Policy;
import io.kipimo.schemas.replication.ReplicationDecision;
import io.kipimo.schemas.tails.TailLevel;
import io.kipimo.schemas.tails.TailWindow;
import io.kipimo.schemas.topics.Topic;
import io.kipimo.sdk.ClassDefaults;
import io.kipimo.sdk.Kipimo;
import io.kipimo.sdk.KipimoConfig;
import io.kipimo.sdk.ReplicationClient;
import io.kipimo.sdk.internal.kafka.PolicyStore;
import io.kipimo.sdk.internal.kafka.TopicAdmin;
import io.kipimo.sdk.kafka.KafkaSettings;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.apache.flink.api.common.JobID;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The replication job in a closed loop: a service whose arbiters follow the SDK's client, windows of its tails on a
 * real broker, and a TaskManager that is killed during a trial.
 */
@WithBackends
class ReplicationJobITCase {

    /** Two tiers. In the first, a fifth of the copies meet a neighbour and take ten times as long. */
    private static final class Service implements AutoCloseable {
        private final Random random = new Random(5);
        private final KafkaSettings kafka;
        private final ReplicationClient factors;
        private final KafkaProducer<byte[], byte[]> producer;
        private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor();

        Service(KafkaSettings kafka, ReplicationClient factors) {
            this.kafka = kafka;
            this.factors = factors;
            this.producer =
                    new KafkaProducer<>(kafka.forProducer(), new ByteArraySerializer(), new ByteArraySerializer());
            var unused = thread.scheduleAtFixedRate(this::window, 0, PagesTails.WINDOW_MILLIS, TimeUnit.MILLISECONDS);
        }

        private void window() {
            long end = System.currentTimeMillis();
            int web = factors.factor("web");
            tier("web", 50, web, 50_000, 0.2, end);
            tier("store", 50 * web, factors.factor("store"), 10_000, 0, end);
        }

        private void tier(String name, double perSecond, int factor, double meanMicros, double slowShare, long end) {
            LatencySketch requests = new LatencySketch();
            LatencySketch copies = new LatencySketch();
            for (int i = 0; i < PagesTails.REQUESTS; i++) {
                double fastest = Double.POSITIVE_INFINITY;
                for (int copy = 0; copy < factor; copy++) {
                    double took = meanMicros * (0.8 + 0.4 * random.nextDouble());
                    took *= random.nextDouble() < slowShare ? 10 : 1;
                    copies.record((long) took);
                    fastest = Math.min(fastest, took);
                }
                requests.record((long) fastest);
            }
            send(PagesTails.window(TailLevel.TIER, name, perSecond * factor, meanMicros, end, copies));
            send(PagesTails.window(TailLevel.ARBITER, name, perSecond, meanMicros, end, requests));
        }

        private void send(TailWindow window) {
            var unused = producer.send(new ProducerRecord<>(
                    kafka.name(Topic.TAILS),
                    window.scope().getBytes(StandardCharsets.UTF_8),
                    Codecs.TAIL_WINDOW.encode(window)));
        }

        @Override
        public void close() {
            thread.shutdownNow();
            producer.close();
        }
    }

    /** On a busy machine a trial of eight seconds may be over before the kill. */
    private static Policy longTrials(Policy policy) {
        return policy.toBuilder()
                .replication(policy.replication().map(replication -> replication.toBuilder()
                        .trials(replication.trials().toBuilder()
                                .minimumMillis(16_000)
                                .build())
                        .build()))
                .build();
    }

    private static List<ReplicationDecision> trial(List<ReplicationDecision> decisions) {
        return decisions.stream().filter(ReplicationDecision::inTrial).toList();
    }

    @Test
    void arbitersFollowTrialsAndAPersonsWord(Backends backends, FlinkCluster cluster) throws Exception {
        KafkaSettings kafka = new KafkaSettings(backends.bootstrapServers(), "trials.", Map.of());
        run(kafka, cluster, PagesPolicy.of(PagesTails.WINDOW_MILLIS, Duration.ofMinutes(1)), (job, kipimo, log) -> {});
    }

    @Tag("full")
    @Test
    void aKilledJobGoesOnWithItsTrialInANewerEpoch(Backends backends, FlinkCluster cluster) throws Exception {
        KafkaSettings kafka = new KafkaSettings(backends.bootstrapServers(), "replication.", Map.of());
        Policy policy = longTrials(PagesPolicy.of(PagesTails.WINDOW_MILLIS, Duration.ofMinutes(1)));
        run(kafka, cluster, policy, (job, kipimo, log) -> killDuringATrial(cluster, job, kipimo, log));
    }

    /** What happens in a trial. */
    private interface InTrial {
        void happen(JobID job, Kipimo kipimo, TopicLog<ReplicationDecision> log) throws Exception;
    }

    /** Until a person overrides the factors. */
    private static void run(KafkaSettings kafka, FlinkCluster cluster, Policy policy, InTrial inTrial)
            throws Exception {
        TopicAdmin.createMissing(kafka, 1, (short) 1);
        PolicyStore.publish(kafka, policy);
        Configuration config = new Configuration();
        config.setString("kafka.bootstrap-servers", kafka.bootstrapServers());
        config.setString("kafka.topic-prefix", kafka.topicPrefix());
        config.setString("parallelism.default", "1");
        config.setString("execution.checkpointing.interval", "500 ms");
        KipimoConfig client = KipimoConfig.builder("pages", "arbiter-1", kafka)
                .queryClass("all", ClassDefaults.ALL)
                .build();
        try (Kipimo kipimo = Kipimo.connect(client);
                Service service = new Service(kafka, kipimo.replication());
                TopicLog<ReplicationDecision> log =
                        new TopicLog<>(kafka, Topic.REPLICATION, Codecs.REPLICATION_DECISION)) {
            StreamExecutionEnvironment env = cluster.environment(JobEnvironment.withDefaults(config));
            ReplicationJob.define(env, ReplicationJob.OPTIONS.read(config));
            JobID job = env.executeAsync("replication").getJobID();

            await("a trial begins and arbiters follow")
                    .atMost(PATIENCE)
                    .until(() -> !trial(log.readOn()).isEmpty()
                            && kipimo.replication().factor("web") > 1);
            inTrial.happen(job, kipimo, log);

            assertThat(PagesPolicy.command(
                            kafka, "override", "factors", "pages", "1", "2", "--for=10m", "--reason=drill"))
                    .isZero();
            await("the override applies")
                    .atMost(PATIENCE)
                    .until(() -> kipimo.replication().factor("web") == 1
                            && kipimo.replication().factor("store") == 2);
            cluster.cancel(job);
        }
    }

    private static void killDuringATrial(
            FlinkCluster cluster, JobID job, Kipimo kipimo, TopicLog<ReplicationDecision> log) {
        ReplicationDecision began = trial(log.readOn()).get(0);
        long checkpoints = cluster.completedCheckpoints(job);
        await("the trial is in a checkpoint")
                .atMost(PATIENCE)
                .until(() -> cluster.completedCheckpoints(job) >= checkpoints + 2);
        cluster.killOldestTaskManager();
        cluster.replaceTaskManagers();

        await("a newer epoch ends the trial").atMost(PATIENCE).until(() -> log.readOn().stream()
                .anyMatch(d -> d.epoch() > began.epoch() && d.reason().equals("TRIAL_KEPT")));
        List<ReplicationDecision> decisions = List.copyOf(log.readOn());
        ReplicationDecision again = decisions.stream()
                .filter(d -> d.epoch() > began.epoch())
                .findFirst()
                .orElseThrow();
        assertThat(again.inTrial()).as("the trial survived: %s", again).isTrue();
        List<ReplicationDecision> before = trial(decisions.subList(0, decisions.indexOf(again)));
        assertThat(again.tiers()).isEqualTo(before.get(before.size() - 1).tiers());
        assertThat(decisions)
                .filteredOn(d -> d.reason().equals("TRIAL_STARTED"))
                .as("no trial was lost and restarted")
                .hasSize(1);
        assertThat(decisions).isSortedAccordingTo((a, b) -> a.isNewerThan(b.epoch(), b.sequence()) ? 1 : -1);
        int kept = again.tier("web").orElseThrow().factor();
        await("arbiters follow the newer epoch").atMost(PATIENCE).until(() -> kipimo.replication()
                .inForce()
                .filter(d -> d.epoch() == again.epoch() && !d.inTrial())
                .isPresent());
        assertThat(kipimo.replication().factor("web")).isEqualTo(kept).isGreaterThan(1);
    }
}
