package io.kipimo.endtoend;

import static io.kipimo.testing.Patience.PATIENCE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.kipimo.core.guard.ActuatorChecks;
import io.kipimo.core.guard.ActuatorConfig;
import io.kipimo.core.guard.ActuatorResult;
import io.kipimo.core.guard.DecisionReason;
import io.kipimo.core.guard.Leased;
import io.kipimo.core.guard.Slew;
import io.kipimo.embedded.flink.FlinkCluster;
import io.kipimo.embedded.kafka.TopicLog;
import io.kipimo.embedded.redis.EmbeddedRedis;
import io.kipimo.embedded.redis.RedisCrash;
import io.kipimo.endtoend.backends.Backends;
import io.kipimo.endtoend.backends.WithBackends;
import io.kipimo.jobs.JobEnvironment;
import io.kipimo.jobs.admission.AdmissionJob;
import io.kipimo.redis.RedisDecisionStore;
import io.kipimo.redis.RedisSettings;
import io.kipimo.redis.RedisUnavailableException;
import io.kipimo.schemas.codec.Codecs;
import io.kipimo.schemas.decision.Decision;
import io.kipimo.schemas.topics.Topic;
import io.kipimo.sdk.ClassDefaults;
import io.kipimo.sdk.Kipimo;
import io.kipimo.sdk.KipimoConfig;
import io.kipimo.sdk.internal.kafka.PolicyStore;
import io.kipimo.sdk.internal.kafka.TopicAdmin;
import io.kipimo.sdk.kafka.KafkaSettings;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.apache.flink.api.common.JobID;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * The admission job's decisions while their transport fails: actuators that read the log or Redis never go back to an
 * older decision.
 */
@Tag("faults")
@WithBackends
@ExtendWith(FaultTable.Extension.class)
class AdmissionFaultsITCase {
    private static final String SCOPE = "shop/low";
    private static final int REPLAYS = 10;

    /** Older input has no effect. */
    private static final long STALE_MILLIS = ShopPolicy.of().admission().staleAfterPeriods()
            * ShopPolicy.of().admission().periodMillis();

    @Test
    void redisGoesBackToOlderData(Backends backends, FaultTable table) throws Exception {
        try (Site site = new Site(backends, "redis-back.")) {
            JobID job = site.startJob();
            int injected = 0;
            double longest = 0;
            RedisCrash crash = new RedisCrash(site.redis);
            for (int i = 0; i < 3; i++) {
                Decision old = site.awaitInRedisAfter(0, 0);
                byte[] snapshot = crash.snapshot();
                Decision unused = site.awaitInRedisAfter(old.epoch(), old.sequence() + 3);
                crash.crash();
                TimeUnit.SECONDS.sleep(2);
                Decision lost = site.fromRedis.held().orElseThrow();
                crash.reviveWith(snapshot);
                long start = System.nanoTime();
                injected++;
                Decision next = site.awaitInRedisAfter(lost.epoch(), lost.sequence());
                longest = Math.max(longest, (System.nanoTime() - start) / 1e9);
                assertThat(next.epoch()).isEqualTo(old.epoch());
            }
            site.cluster.cancel(job);
            site.report(table, "Redis kill -9, back with older data", injected, longest);
            assertThat(site.fromRedis.wentBack.get())
                    .as("older decisions seen in Redis")
                    .isPositive();
        }
    }

    @Test
    void twoControllersAreThereAtOnce(Backends backends, FaultTable table) throws Exception {
        try (Site site = new Site(backends, "two.")) {
            JobID first = site.startJob();
            long firstEpoch = site.awaitAppliedAfter(0, 0).epoch();
            long start = System.nanoTime();
            JobID second = site.startJob();
            Decision taken = site.awaitAppliedAfter(firstEpoch, Long.MAX_VALUE);
            double recovery = (System.nanoTime() - start) / 1e9;

            // Both jobs continue; only the decisions of the newer one count.
            await().atMost(PATIENCE).until(() -> site.decisionsOf(firstEpoch, taken) > 20);
            site.report(table, "two controllers at once", 1, recovery);
            site.cluster.cancel(first);
            site.cluster.cancel(second);
        }
    }

    @Test
    void oldCommandsComeAgain(Backends backends, FaultTable table) throws Exception {
        try (Site site = new Site(backends, "again.")) {
            JobID unused = site.startJob();
            await().atMost(PATIENCE).until(() -> site.decisions.readOn().size() > 40);
            Decision before = site.awaitAppliedAfter(0, 0);
            long refused = site.refusals();
            int again = site.replayDecisions();
            long start = System.nanoTime();
            var after = site.awaitAppliedAfter(before.epoch(), before.sequence() + 1);
            double recovery = (System.nanoTime() - start) / 1e9;
            await().atMost(PATIENCE).until(() -> site.refusals() - refused >= again);
            assertThat(after.epoch()).isEqualTo(before.epoch());
            site.report(table, "old commands written again", again, recovery);
        }
    }

    @Test
    void theControllerIsKilled(Backends backends, FaultTable table) throws Exception {
        try (Site site = new Site(backends, "killed-controller.")) {
            JobID unused = site.startJob();
            double longest = 0;
            for (int i = 0; i < 3; i++) {
                long epoch = site.awaitAppliedAfter(0, 0).epoch();
                site.cluster.killTaskManager(i);
                long start = System.nanoTime();
                int index = site.cluster.startTaskManager();
                assertThat(index).isEqualTo(i + 1);
                Decision next = site.awaitAppliedAfter(epoch, Long.MAX_VALUE);
                longest = Math.max(longest, (System.nanoTime() - start) / 1e9);
                assertThat(next.epoch()).isGreaterThan(epoch);
            }
            site.report(table, "the admission job's TaskManager ended", 3, longest);
        }
    }

    @Test
    void theControllerIsAwayForLongerThanItsLease(Backends backends, FaultTable table) throws Exception {
        try (Site site = new Site(backends, "away-controller.")) {
            JobID unused = site.startJob();
            Decision last = site.awaitAppliedAfter(0, 0);
            site.cluster.killTaskManager(0);
            // Input for the job is written all the time.
            await().atMost(PATIENCE)
                    .until(() -> site.kipimo.admission().inForce("low").isEmpty());
            long start = System.nanoTime();
            int index = site.cluster.startTaskManager();
            assertThat(index).isEqualTo(1);
            Decision next = site.awaitAppliedAfter(last.epoch(), Long.MAX_VALUE);
            double recovery = (System.nanoTime() - start) / 1e9;
            Decision later = site.awaitAppliedAfter(next.epoch(), next.sequence() + 10);
            assertThat(later.epoch()).isEqualTo(next.epoch());
            site.report(table, "the admission job away until its leases end, a backlog", 1, recovery);
        }
    }

    /** A service with an admission job, a Redis, and two actuators. */
    private static final class Site implements AutoCloseable {
        private final KafkaSettings kafka;
        private final EmbeddedRedis redis = EmbeddedRedis.start();
        private final FlinkCluster cluster = FlinkCluster.inProcess(1, 4);
        private final Kipimo kipimo;
        private final RedisDecisionStore store;
        private final TopicLog<Decision> decisions;
        private final Actuator fromLog;
        private final RedisActuator fromRedis;
        private final Loop feed;

        Site(Backends backends, String prefix) {
            kafka = new KafkaSettings(backends.bootstrapServers(), prefix, Map.of());
            TopicAdmin.createMissing(kafka, 1, (short) 1);
            PolicyStore.publish(kafka, ShopPolicy.of());
            kipimo = Kipimo.connect(KipimoConfig.builder("shop", "test", kafka)
                    .queryClass("high", ClassDefaults.ALL)
                    .queryClass("low", ClassDefaults.sheddable(0.05))
                    .build());
            store = RedisDecisionStore.at(RedisSettings.of(redis.host(), redis.port()));
            decisions = new TopicLog<>(kafka, Topic.ADMISSION, Codecs.DECISION);
            fromLog = new Actuator(() -> kipimo.admission().inForce("low"));
            fromRedis = new RedisActuator(store);
            feed = new Loop(250, () -> AdmissionJobITCase.publishBatch(kafka, ShopPolicy.badBatch(1_000)));
        }

        /** Decisions that the SDK's client refused. */
        long refusals() {
            return kipimo.admission().refusals().values().stream()
                    .mapToLong(n -> n)
                    .sum();
        }

        JobID startJob() throws Exception {
            Configuration config = new Configuration();
            config.setString("kafka.bootstrap-servers", kafka.bootstrapServers());
            config.setString("kafka.topic-prefix", kafka.topicPrefix());
            config.setString("redis.host", redis.host());
            config.setString("redis.port", String.valueOf(redis.port()));
            config.setString("parallelism.default", "1");
            StreamExecutionEnvironment env = cluster.environment(JobEnvironment.withDefaults(config));
            AdmissionJob.define(env, AdmissionJob.OPTIONS.read(config));
            return env.executeAsync("admission").getJobID();
        }

        /** A decision in force, according to the log, that is newer than this one. */
        Decision awaitAppliedAfter(long epoch, long sequence) {
            return awaitAfter(fromLog::newest, epoch, sequence);
        }

        Decision awaitInRedisAfter(long epoch, long sequence) {
            return awaitAfter(fromRedis::held, epoch, sequence);
        }

        private static Decision awaitAfter(Supplier<Optional<Decision>> source, long epoch, long sequence) {
            return await().atMost(PATIENCE)
                    .pollInterval(Duration.ofMillis(20))
                    .until(source::get, found -> found.filter(d -> d.isNewerThan(epoch, sequence))
                            .isPresent())
                    .orElseThrow();
        }

        /** Number of decisions of an epoch that were issued after another decision. */
        long decisionsOf(long epoch, Decision after) {
            return decisions.readOn().stream()
                    .filter(d -> d.scope().equals(SCOPE) && d.epoch() == epoch)
                    .filter(d -> d.issuedAtMillis() > after.issuedAtMillis())
                    .count();
        }

        /** Writes all decisions so far again, several times; returns the number of records written. */
        int replayDecisions() throws Exception {
            List<Decision> old = List.copyOf(decisions.readOn());
            try (KafkaProducer<byte[], byte[]> producer =
                    new KafkaProducer<>(kafka.forProducer(), new ByteArraySerializer(), new ByteArraySerializer())) {
                for (int i = 0; i < REPLAYS; i++) {
                    for (Decision decision : old) {
                        var unused = producer.send(new ProducerRecord<>(
                                kafka.name(Topic.ADMISSION),
                                decision.scope().getBytes(StandardCharsets.UTF_8),
                                Codecs.DECISION.encode(decision)));
                    }
                }
            }
            return REPLAYS * old.size();
        }

        void report(FaultTable table, String fault, int injected, double recoverySeconds) {
            long invalid = fromLog.invalid.get() + fromRedis.applied.invalid.get();
            table.add(new FaultTable.Row(fault, injected, Optional.empty(), OptionalLong.of(invalid), recoverySeconds));
            assertThat(fromLog.taken.get()).as("decisions applied").isPositive();
            assertThat(invalid).as("invalid decisions applied").isZero();
        }

        @Override
        public void close() throws Exception {
            feed.close();
            fromLog.close();
            fromRedis.close();
            store.close();
            decisions.close();
            kipimo.close();
            cluster.close();
            redis.close();
        }
    }

    /** Repeats an action in a thread of its own. */
    private static final class Loop implements AutoCloseable {
        private final Thread thread;
        private volatile boolean closed;

        private interface Step {
            void take() throws Exception;
        }

        Loop(long periodMillis, Step step) {
            thread = new Thread(() -> {
                try {
                    while (!closed) {
                        step.take();
                        TimeUnit.MILLISECONDS.sleep(periodMillis);
                    }
                } catch (Exception e) {
                    throw new IllegalStateException(e);
                }
            });
            thread.start();
        }

        @Override
        public void close() throws InterruptedException {
            closed = true;
            thread.join();
        }
    }

    /** Samples the decision in force, and counts violations. */
    private static final class Actuator implements Consumer<Decision>, AutoCloseable {
        private final Loop loop;
        private volatile Decision newest;
        private final AtomicLong taken = new AtomicLong();
        private final AtomicLong invalid = new AtomicLong();

        Actuator(Supplier<Optional<Decision>> inForce) {
            loop = new Loop(5, () -> inForce.get().ifPresent(this));
        }

        @Override
        public synchronized void accept(Decision decision) {
            Decision before = newest;
            if (decision.equals(before)) {
                return;
            }
            boolean isOlder = before != null && !decision.isNewerThan(before.epoch(), before.sequence());
            boolean isPossible = decision.value() >= 0 && decision.value() <= 1;
            boolean isExpired = decision.validUntilMillis() <= System.currentTimeMillis();
            long unused = taken.incrementAndGet();
            if (isOlder || !isPossible || isExpired || movesOnOldInput(decision)) {
                unused = invalid.incrementAndGet();
            }
            newest = decision;
        }

        private static boolean movesOnOldInput(Decision decision) {
            return decision.value() != decision.previous()
                    && decision.issuedAtMillis() - decision.asOfMillis() > STALE_MILLIS
                    && !decision.reason().equals(DecisionReason.SAFE_FALLBACK.name());
        }

        Optional<Decision> newest() {
            return Optional.ofNullable(newest);
        }

        @Override
        public void close() throws InterruptedException {
            loop.close();
        }
    }

    /** Polls Redis, whose data may go back in time, and applies what the actuator's checks accept. */
    private static final class RedisActuator implements AutoCloseable {
        private final RedisDecisionStore store;
        private final ActuatorConfig config = ActuatorConfig.admission(SCOPE, 0.05);
        private final Actuator applied = new Actuator(Optional::empty);
        private final Loop loop;
        private Leased<Slew> state = ActuatorChecks.initial(config);
        private volatile Decision held;
        private final AtomicLong wentBack = new AtomicLong();

        RedisActuator(RedisDecisionStore store) {
            this.store = store;
            this.loop = new Loop(20, this::look);
        }

        private void look() {
            Optional<Decision> found;
            try {
                found = store.get(Decision.ADMISSION, SCOPE);
            } catch (RedisUnavailableException e) {
                return;
            }
            found.ifPresent(this::offer);
        }

        private void offer(Decision decision) {
            Decision before = held;
            if (before != null && before.isNewerThan(decision.epoch(), decision.sequence())) {
                long unused = wentBack.incrementAndGet();
            }
            held = decision;
            ActuatorResult<Slew> result = ActuatorChecks.offer(config, state, decision, System.currentTimeMillis());
            if (result.verdict().isApplied()) {
                state = result.state();
                applied.accept(decision);
            }
        }

        Optional<Decision> held() {
            return Optional.ofNullable(held);
        }

        @Override
        public void close() throws InterruptedException {
            loop.close();
            applied.close();
        }
    }
}
