package io.kipimo.endtoend;

import static io.kipimo.testing.Patience.PATIENCE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.awaitility.Awaitility.await;

import io.kipimo.core.quality.fanout.model.FanOutChoice;
import io.kipimo.core.quality.fanout.model.FanOutChoice.Reason;
import io.kipimo.embedded.flink.FlinkCluster;
import io.kipimo.embedded.kafka.TopicLog;
import io.kipimo.endtoend.backends.Backends;
import io.kipimo.endtoend.backends.WithBackends;
import io.kipimo.jobs.JobEnvironment;
import io.kipimo.jobs.quality.QualityJob;
import io.kipimo.schemas.codec.Codecs;
import io.kipimo.schemas.fanout.FanOutPublication;
import io.kipimo.schemas.fanout.FanOutState;
import io.kipimo.schemas.policy.ClassPolicy;
import io.kipimo.schemas.policy.FanOutPolicy;
import io.kipimo.schemas.policy.Policy;
import io.kipimo.schemas.policy.SamplingPolicy;
import io.kipimo.schemas.quality.Answer;
import io.kipimo.schemas.quality.AnswerBuilder;
import io.kipimo.schemas.quality.AnswerKind;
import io.kipimo.schemas.quality.Features;
import io.kipimo.schemas.quality.Invocation;
import io.kipimo.schemas.quality.Items;
import io.kipimo.schemas.quality.Measurement;
import io.kipimo.schemas.quality.Outcome;
import io.kipimo.schemas.quality.PartialResultBuilder;
import io.kipimo.schemas.quality.Phase;
import io.kipimo.schemas.topics.Topic;
import io.kipimo.sdk.ClassDefaults;
import io.kipimo.sdk.Kipimo;
import io.kipimo.sdk.KipimoConfig;
import io.kipimo.sdk.internal.kafka.PolicyStore;
import io.kipimo.sdk.internal.kafka.TopicAdmin;
import io.kipimo.sdk.kafka.KafkaSettings;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.junit.jupiter.api.Test;

/**
 * The quality job learns from full queries which components contribute, and publishes it; a front end asks fewer
 * components by it, and what is measured then is what its answers lack.
 */
@WithBackends
class FanOutITCase {
    private static final List<String> COMPONENTS = List.of("c0", "c1", "c2", "c3");
    private static final int ITEMS = 10;
    private static final double FLOOR = 0.85;
    private static final double EXPLORATION = 0.1;
    private static final int TRIMMED = 300;

    /** A front end of one service whose queries have known answers. */
    private static final class Service implements AutoCloseable {
        private final String name;
        private final boolean hasTopics;
        private final Kipimo kipimo;
        private final Random random = new Random(17);
        private final Map<String, Double> kept = new ConcurrentHashMap<>();
        private final Map<String, FanOutChoice> trimmed = new ConcurrentHashMap<>();
        private long next;

        /** @param hasTopics whether nine tenths of an answer are in one component; otherwise its items are anywhere */
        Service(String name, boolean hasTopics, KafkaSettings kafka) {
            this.name = name;
            this.hasTopics = hasTopics;
            PolicyStore.publish(kafka, policy(name));
            kipimo = Kipimo.connect(KipimoConfig.builder(name, name + "-1", kafka)
                    .initialSamplingRate(1)
                    .profilingShare(1)
                    .queryClass("low", ClassDefaults.ALL)
                    .build());
        }

        private static Policy policy(String name) {
            return Policy.builder()
                    .service(name)
                    .version(1)
                    .metrics(List.of("tpr@" + ITEMS))
                    .topK(ITEMS)
                    .expirationWindowMillis(1_000)
                    .windowMillis(5_000)
                    .slideMillis(1_000)
                    .classes(List.of(
                            ClassPolicy.builder().name("low").objective(0.8).build()))
                    .sampling(
                            SamplingPolicy.builder().maximumRate(1).fixedRate(1).build())
                    .fanOut(Optional.of(FanOutPolicy.builder()
                            .classes(List.of("low"))
                            .floor(FLOOR)
                            .exploration(EXPLORATION)
                            .shadow(false)
                            .periodMillis(1_000)
                            .build()))
                    .build();
        }

        /** Some queries, as a front end answers them. */
        void ask(int queries) {
            for (int i = 0; i < queries; i++) {
                ask();
            }
        }

        private void ask() {
            String id = name + "-query-" + next++;
            int topic = random.nextInt(COMPONENTS.size());
            int[] home = new int[ITEMS];
            for (int item = 0; item < ITEMS; item++) {
                home[item] = hasTopics && item > 0 ? topic : random.nextInt(COMPONENTS.size());
            }
            Features features = Features.of(topic, 100 + random.nextInt(50));
            FanOutChoice choice = kipimo.fanOut().choose("low", id, features, COMPONENTS);
            long now = System.currentTimeMillis();
            List<Invocation> invocations = new ArrayList<>();
            int inAnswer = 0;
            for (int c = 0; c < COMPONENTS.size(); c++) {
                boolean isAsked = choice.asked().contains(COMPONENTS.get(c));
                invocations.add(new Invocation(
                        COMPONENTS.get(c), isAsked ? Outcome.IN_TIME : Outcome.NOT_ASKED, isAsked ? 5_000 : 0));
                for (int item = 0; isAsked && item < ITEMS; item++) {
                    inAnswer += home[item] == c ? 1 : 0;
                }
            }
            boolean isTrimmed = choice.asked().size() < COMPONENTS.size();
            Optional<Double> loss = isTrimmed ? Optional.of(choice.expectedLoss()) : Optional.empty();
            kept.put(id, (double) inAnswer / ITEMS);
            if (isTrimmed) {
                trimmed.put(id, choice);
            }
            kipimo.meter().offered("low");
            kipimo.meter().answered("low", invocations, Optional.empty(), 0, loss);
            Answer answer = AnswerBuilder.builder()
                    .service(name)
                    .queryId(id)
                    .queryClass("low")
                    .kind(AnswerKind.ONLINE)
                    .startedAtMillis(now - 10)
                    .answeredAtMillis(now)
                    .deadlineMillis(30)
                    .topK(ITEMS)
                    .invocations(invocations)
                    .items(Items.NONE)
                    .features(features)
                    .notAskedLoss(loss)
                    .explored(choice.explored())
                    .build();
            assertThat(kipimo.emitter().isSampled(id)).isTrue();
            kipimo.emitter().emit(answer);
            for (int c = 0; c < COMPONENTS.size(); c++) {
                if (choice.asked().contains(COMPONENTS.get(c))
                        && kipimo.emitter().wantsPartials(answer)) {
                    emit(id, c, home, now);
                }
            }
        }

        private void emit(String id, int component, int[] home, long now) {
            long[] ids = new long[ITEMS];
            float[] scores = new float[ITEMS];
            int found = 0;
            for (int item = 0; item < ITEMS; item++) {
                if (home[item] == component) {
                    ids[found] = item;
                    scores[found++] = ITEMS - item;
                }
            }
            kipimo.emitter()
                    .emit(PartialResultBuilder.builder()
                            .service(name)
                            .queryId(id)
                            .component(COMPONENTS.get(component))
                            .server(name + "-1")
                            .phase(Phase.ONLINE)
                            .completedAtMillis(now - 5)
                            .latencyMicros(5_000)
                            .items(Items.ofNumbers(Arrays.copyOf(ids, found), Arrays.copyOf(scores, found)))
                            .startedAtMillis(now - 10)
                            .build());
        }

        Optional<FanOutPublication> publication() {
            return kipimo.fanOut().publication("low");
        }

        @Override
        public void close() {
            kipimo.close();
        }
    }

    @Test
    void whereComponentsDifferFewerAreAskedAndWhatThatCostsIsMeasured(Backends backends, FlinkCluster cluster)
            throws Exception {
        KafkaSettings kafka = new KafkaSettings(backends.bootstrapServers(), "fanout.", Map.of());
        TopicAdmin.createMissing(kafka, 1, (short) 1);
        AtomicInteger each = new AtomicInteger(10);
        ScheduledExecutorService load = Executors.newScheduledThreadPool(1);
        try (Service topics = new Service("topics", true, kafka);
                Service hashed = new Service("hashed", false, kafka)) {
            JobClient job = quality(cluster, kafka);
            var unused = load.scheduleAtFixedRate(
                    () -> {
                        topics.ask(each.get());
                        hashed.ask(each.get());
                    },
                    0,
                    50,
                    TimeUnit.MILLISECONDS);

            await().atMost(PATIENCE).until(() -> topics.trimmed.size() >= TRIMMED);
            assertThat(topics.publication()).hasValueSatisfying(p -> {
                assertThat(p.state()).isEqualTo(FanOutState.ON);
                assertThat(p.reason()).contains("at floor 0.85");
                assertThat(p.saving()).isGreaterThan(0.1);
            });
            // Enough was learned, and still there is no choice that pays.
            await().atMost(PATIENCE)
                    .until(() ->
                            hashed.publication().filter(p -> p.queries() >= 500).isPresent());
            assertThat(hashed.publication().orElseThrow())
                    .satisfies(p -> assertThat(p.state()).as(p.reason()).isEqualTo(FanOutState.OFF));
            assertThat(hashed.trimmed).isEmpty();
            // Enough to move event time.
            each.set(1);
            assertMeasured(kafka, topics);
            assertThat(topics.kipimo.fanOut().reasons().get(Reason.EXPLORED)).isPositive();
            load.shutdownNow();
            job.cancel().get();
        } finally {
            load.shutdownNow();
        }
    }

    private static JobClient quality(FlinkCluster cluster, KafkaSettings kafka) throws Exception {
        Configuration config = Configuration.fromMap(Map.of(
                "kafka.bootstrap-servers", kafka.bootstrapServers(),
                "kafka.topic-prefix", kafka.topicPrefix(),
                "source.out-of-orderness", "300 ms",
                "source.idleness", "1 s",
                "deadlines.profiles-per-second", "1000000",
                "deadlines.window", "1 min",
                "deadlines.every", "1 s",
                "parallelism.default", "1"));
        StreamExecutionEnvironment env = cluster.environment(JobEnvironment.withDefaults(config));
        env.setParallelism(1);
        QualityJob.define(env, QualityJob.OPTIONS.read(config));
        return env.executeAsync("quality");
    }

    /** Each measured loss is the front end's statement, and right on average. */
    private static void assertMeasured(KafkaSettings kafka, Service topics) {
        try (TopicLog<Measurement> log = new TopicLog<>(kafka, Topic.QUALITY, Codecs.MEASUREMENT)) {
            await().atMost(PATIENCE).until(() -> {
                log.readSome();
                return log.read().stream()
                                .filter(m -> topics.trimmed.containsKey(m.queryId()))
                                .count()
                        >= TRIMMED;
            });
            List<Measurement> trimmed = log.read().stream()
                    .filter(m -> topics.trimmed.containsKey(m.queryId()))
                    .toList();
            double truth = 0;
            double measured = 0;
            for (Measurement m : trimmed) {
                double loss = topics.trimmed.get(m.queryId()).expectedLoss();
                assertThat(m.notAskedLoss()).contains(loss);
                assertThat(m.scores().get(0).high()).isCloseTo(1 - loss, within(1e-9));
                truth += topics.kept.get(m.queryId()) / trimmed.size();
                measured += m.scores().get(0).high() / trimmed.size();
            }
            assertThat(truth).as("the floor is kept").isGreaterThan(FLOOR - 0.02);
            assertThat(measured).isBetween(truth - 0.03, truth + 0.03);
        }
    }
}
