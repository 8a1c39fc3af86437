package io.kipimo.endtoend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.awaitility.Awaitility.await;

import io.kipimo.embedded.flink.FlinkCluster;
import io.kipimo.embedded.kafka.TopicLog;
import io.kipimo.endtoend.backends.Backends;
import io.kipimo.endtoend.backends.WithBackends;
import io.kipimo.jobs.JobEnvironment;
import io.kipimo.jobs.quality.QualityJob;
import io.kipimo.schemas.budget.ErrorBudget;
import io.kipimo.schemas.codec.Codec;
import io.kipimo.schemas.codec.Codecs;
import io.kipimo.schemas.completeness.CompletenessModel;
import io.kipimo.schemas.completeness.ComponentLoss;
import io.kipimo.schemas.deadline.ComponentEconomics;
import io.kipimo.schemas.deadline.DeadlineCurve;
import io.kipimo.schemas.deadline.DeadlinePoint;
import io.kipimo.schemas.observation.Observation;
import io.kipimo.schemas.observation.ObservationBuilder;
import io.kipimo.schemas.policy.ClassPolicy;
import io.kipimo.schemas.policy.Policy;
import io.kipimo.schemas.quality.Answer;
import io.kipimo.schemas.quality.AnswerBuilder;
import io.kipimo.schemas.quality.AnswerKind;
import io.kipimo.schemas.quality.Features;
import io.kipimo.schemas.quality.Invocation;
import io.kipimo.schemas.quality.Items;
import io.kipimo.schemas.quality.MeasurementBill;
import io.kipimo.schemas.quality.Outcome;
import io.kipimo.schemas.quality.PartialResult;
import io.kipimo.schemas.quality.PartialResultBuilder;
import io.kipimo.schemas.quality.Phase;
import io.kipimo.schemas.topics.Topic;
import io.kipimo.sdk.internal.kafka.PolicyStore;
import io.kipimo.sdk.internal.kafka.TopicAdmin;
import io.kipimo.sdk.kafka.KafkaSettings;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.Future;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;

/**
 * The job's advice, between real topics, equals that of a direct computation over the events: it merges every query
 * again for every deadline.
 */
@WithBackends
class AdviceITCase {
    private static final int QUERIES = 600;
    private static final int COMPONENTS = 4;
    private static final int TOP_K = 5;
    private static final int DEADLINE = 30;
    private static final long EXPIRATION = 2_000;
    private static final double OBJECTIVE = 0.95;
    private static final long HOUR = 3_600_000;

    /** Half past an hour that has ended. */
    private static final long START = (System.currentTimeMillis() / HOUR - 2) * HOUR + HOUR / 2;

    /**
     * A component's result.
     *
     * @param afterMillis time since the query's start; a deadline is compared with it
     * @param waitMillis part of that time before the component was invoked
     */
    private record Result(String component, int afterMillis, int waitMillis, long[] ids, float[] scores) {
        boolean isLate() {
            return afterMillis > DEADLINE;
        }

        boolean isInIfFaster() {
            return waitMillis + 0.75 * (afterMillis - waitMillis) <= DEADLINE;
        }

        long latencyMicros() {
            return (afterMillis - waitMillis) * 1000L;
        }
    }

    /** A query; clean ones need not send their results. */
    private record Query(String id, long startedAt, List<Result> results, boolean sendsResults) {
        boolean isDegraded() {
            return results.stream().anyMatch(Result::isLate);
        }

        /** Share of the whole answer that the results that pass the filter contribute. */
        double quality(Predicate<Result> isIn) {
            List<Long> whole = best(r -> true);
            List<Long> some = best(isIn);
            return whole.isEmpty()
                    ? 1
                    : (double) whole.stream().filter(some::contains).count() / whole.size();
        }

        double quality() {
            return quality(r -> !r.isLate());
        }

        private List<Long> best(Predicate<Result> isIn) {
            Map<Long, Float> scores = new TreeMap<>();
            for (Result result : results) {
                for (int i = 0; isIn.test(result) && i < result.ids.length; i++) {
                    scores.merge(result.ids[i], result.scores[i], Math::max);
                }
            }
            return scores.entrySet().stream()
                    .sorted(Comparator.comparing((Map.Entry<Long, Float> e) -> -e.getValue())
                            .thenComparing(e -> -e.getKey()))
                    .limit(TOP_K)
                    .map(Map.Entry::getKey)
                    .toList();
        }

        /** Shapley value of a result: mean gain over all orders of the late results. */
        double lostBy(Result late) {
            List<Result> lates = results.stream().filter(Result::isLate).toList();
            List<List<Result>> orders = orders(lates);
            return orders.stream()
                    .mapToDouble(order -> gain(late, order.subList(0, order.indexOf(late))))
                    .average()
                    .orElseThrow();
        }

        private static List<List<Result>> orders(List<Result> results) {
            if (results.isEmpty()) {
                return List.of(List.of());
            }
            List<List<Result>> orders = new ArrayList<>();
            for (Result first : results) {
                List<Result> others = new ArrayList<>(results);
                others.remove(first);
                for (List<Result> rest : orders(others)) {
                    List<Result> order = new ArrayList<>(List.of(first));
                    order.addAll(rest);
                    orders.add(order);
                }
            }
            return orders;
        }

        private double gain(Result late, List<Result> before) {
            Predicate<Result> isThere = r -> !r.isLate() || before.contains(r);
            return quality(isThere.or(late::equals)) - quality(isThere);
        }
    }

    private final List<Query> queries = queries();
    private final List<Query> clean =
            queries.stream().filter(q -> !q.isDegraded()).toList();
    private final List<Query> degraded =
            queries.stream().filter(Query::isDegraded).toList();
    private final List<Query> cleanProfiled =
            clean.stream().filter(Query::sendsResults).toList();

    private static List<Query> queries() {
        Random random = new Random(4711);
        List<Query> queries = new ArrayList<>();
        for (int q = 0; q < QUERIES; q++) {
            List<Result> results = new ArrayList<>();
            for (int c = 0; c < COMPONENTS; c++) {
                int size = random.nextInt(4);
                long[] ids = new long[size];
                float[] scores = new float[size];
                for (int i = 0; i < size; i++) {
                    ids[i] = c * 100L + random.nextInt(90);
                    scores[i] = random.nextInt(50);
                }
                boolean isLate = random.nextInt(12) == 0;
                int after = isLate ? 31 + random.nextInt(60) : 1 + random.nextInt(30);
                int wait = random.nextInt(Math.min(after, 12));
                results.add(new Result("c" + c, after, wait, distinct(ids), scores));
            }
            queries.add(new Query("query-" + q, START + 20L * q, results, random.nextInt(3) > 0));
        }
        return queries;
    }

    private static long[] distinct(long[] ids) {
        for (int i = 0; i < ids.length; i++) {
            ids[i] = 8 * ids[i] + i;
        }
        return ids;
    }

    @Test
    void curvesBudgetsAndModelsAreWhatGoingThroughTheEventsOneByOneGives(Backends backends, FlinkCluster cluster)
            throws Exception {
        KafkaSettings kafka = new KafkaSettings(backends.bootstrapServers(), "advice.", Map.of());
        TopicAdmin.createMissing(kafka, 4, (short) 1);
        PolicyStore.publish(kafka, policy());
        send(kafka);
        Configuration config = Configuration.fromMap(Map.of(
                "kafka.bootstrap-servers", kafka.bootstrapServers(),
                "kafka.topic-prefix", kafka.topicPrefix(),
                "source.bounded", "true",
                "source.out-of-orderness", "60 s",
                "deadlines.profiles-per-second", "1000000",
                "deadlines.window", "1 h",
                "deadlines.every", "1 h",
                "parallelism.default", "2"));
        StreamExecutionEnvironment env = cluster.environment(JobEnvironment.withDefaults(config));
        env.setParallelism(2);
        QualityJob.define(env, QualityJob.OPTIONS.read(config));
        env.execute("quality");

        assertCurve(last(kafka, Topic.DEADLINES, Codecs.DEADLINE_CURVE, c -> c.profiles() > 0));
        assertBudget(last(
                kafka,
                Topic.ERROR_BUDGETS,
                Codecs.ERROR_BUDGET,
                b -> b.longWindow().answered() == QUERIES));
        assertModel(last(kafka, Topic.COMPLETENESS, Codecs.COMPLETENESS_MODEL, m -> true));
    }

    private void assertCurve(DeadlineCurve curve) {
        assertThat(curve.service()).isEqualTo("shop");
        assertThat(curve.queryClass()).isEqualTo("high");
        assertThat(curve.deadlineMillis()).isEqualTo(DEADLINE);
        assertThat(curve.degradedProfiles()).isEqualTo(degraded.size());
        assertThat(curve.profiles()).isEqualTo(degraded.size() + cleanProfiled.size());
        assertThat(curve.points()).hasSizeGreaterThan(30);
        assertThat(curve.fanOut().queries()).isPositive();
        for (DeadlinePoint point : curve.points()) {
            double d = point.deadlineMillis();
            double mean = stratified(q -> q.quality(r -> r.afterMillis <= d));
            assertThat(point.quality().mean()).as("quality at %s", d).isCloseTo(mean, within(1e-9));
            assertThat(point.complete())
                    .as("complete at %s", d)
                    .isCloseTo(
                            stratified(q -> q.results.stream().allMatch(r -> r.afterMillis <= d) ? 1 : 0),
                            within(1e-9));
            if (d >= DEADLINE) {
                // All degraded answers were measured, and clean ones have quality 1.
                assertThat(point.quality().halfWidth()).isCloseTo(0, within(1e-9));
            }
        }
        for (ComponentEconomics component : curve.components()) {
            assertEconomics(component);
        }
        assertThat(curve.components()).hasSize(COMPONENTS);
    }

    private void assertEconomics(ComponentEconomics component) {
        String name = component.component();
        Predicate<Result> mine = r -> r.component.equals(name);
        Predicate<Result> asItWas = r -> !r.isLate();
        double lateShare = stratified(q -> q.results.stream().anyMatch(mine.and(Result::isLate)) ? 1 : 0);
        assertThat(component.lostQuality())
                .isCloseTo(
                        stratified(q -> q.results.stream()
                                .filter(mine.and(Result::isLate))
                                .mapToDouble(q::lostBy)
                                .sum()),
                        within(1e-9));
        assertThat(component.qualityIfDropped())
                .isCloseTo(stratified(q -> q.quality(asItWas.and(mine.negate()))), within(1e-9));
        assertThat(component.qualityIfFaster())
                .isCloseTo(stratified(q -> q.quality(asItWas.or(mine.and(Result::isInIfFaster)))), within(1e-9));
        double neverLate = stratified(q -> q.quality(asItWas.or(mine)));
        double quality = stratified(Query::quality);
        assertThat(component.qualityIfReplicated())
                .isCloseTo(quality + (1 - lateShare) * (neverLate - quality), within(1e-9));
        component.points().forEach(point -> {
            Predicate<Result> byThen = r -> r.afterMillis <= point.deadlineMillis();
            assertThat(point.within())
                    .isCloseTo(stratified(q -> q.results.stream().anyMatch(mine.and(byThen)) ? 1 : 0), within(1e-9));
            assertThat(point.quality())
                    .isCloseTo(
                            stratified(q -> q.quality(asItWas.and(mine.negate()).or(mine.and(byThen)))), within(1e-9));
        });
    }

    /** Weights the mean of the clean queries that send their results with the number of all clean queries. */
    private double stratified(ToDoubleFunction<Query> value) {
        double ofClean = cleanProfiled.stream().mapToDouble(value).average().orElseThrow();
        double ofDegraded = degraded.stream().mapToDouble(value).average().orElseThrow();
        return (clean.size() * ofClean + degraded.size() * ofDegraded) / QUERIES;
    }

    private void assertBudget(ErrorBudget budget) {
        double lost = 1 - queries.stream().mapToDouble(Query::quality).average().orElseThrow();

        assertThat(budget.objective()).isEqualTo(OBJECTIVE);
        assertThat(budget.longWindow().samples()).isEqualTo(QUERIES);
        assertThat(budget.longWindow().rate()).isCloseTo(lost / (1 - OBJECTIVE), within(1e-9));
        assertThat(budget.longWindow().high() - budget.longWindow().low())
                .as("every query is measured")
                .isCloseTo(0, within(1e-9));
        double covered = (double) budget.coveredMillis() / budget.periodMillis();
        assertThat(budget.remaining()).isCloseTo(1 - lost / (1 - OBJECTIVE) * covered, within(1e-9));
        Map<String, Double> losses = lossesByComponent();
        double all = losses.values().stream().mapToDouble(l -> Math.max(0, l)).sum();
        assertThat(budget.causes()).hasSize(COMPONENTS).allSatisfy(cause -> assertThat(cause.share())
                .isCloseTo(losses.get(cause.component()) / all, within(1e-9)));
    }

    private Map<String, Double> lossesByComponent() {
        Map<String, Double> losses = new HashMap<>();
        for (Query query : degraded) {
            for (Result result : query.results) {
                if (result.isLate()) {
                    losses.merge(result.component, query.lostBy(result), Double::sum);
                }
            }
        }
        return losses;
    }

    /** There are fewer queries than the model keeps, so losses are plain means, whatever the order. */
    private void assertModel(CompletenessModel model) {
        Map<String, Double> losses = lossesByComponent();
        assertThat(model.queries()).isEqualTo(degraded.size());
        assertThat(model.losses()).hasSize(COMPONENTS);
        for (ComponentLoss loss : model.losses()) {
            long late = degraded.stream()
                    .flatMap(q -> q.results.stream())
                    .filter(r -> r.isLate() && r.component.equals(loss.component()))
                    .count();
            assertThat(late).isLessThan(200);
            assertThat(loss.queries()).isEqualTo(late);
            assertThat(loss.loss()).isCloseTo(losses.get(loss.component()) / late, within(1e-9));
        }
        assertThat(model.calibration().stream().mapToLong(b -> b.queries()).sum())
                .as("all queries but the first were predicted")
                .isEqualTo(degraded.size() - 1);
    }

    private static <T> T last(KafkaSettings kafka, Topic topic, Codec<T> codec, Predicate<T> wanted) {
        try (TopicLog<T> log = new TopicLog<>(kafka, topic, codec)) {
            return await().atMost(Duration.ofSeconds(60))
                    .until(
                            () -> log.readOn().stream().filter(wanted).reduce((first, second) -> second),
                            Optional::isPresent)
                    .orElseThrow();
        }
    }

    private static Policy policy() {
        return Policy.builder()
                .service("shop")
                .version(1)
                .metrics(List.of("tpr@" + TOP_K))
                .topK(TOP_K)
                .expirationWindowMillis(EXPIRATION)
                .classes(List.of(ClassPolicy.builder()
                        .name("high")
                        .priority(0)
                        .objective(OBJECTIVE)
                        .floor(1)
                        .build()))
                .build();
    }

    private void send(KafkaSettings kafka) throws Exception {
        List<ProducerRecord<byte[], byte[]>> records = new ArrayList<>();
        Map<Long, long[]> seconds = new TreeMap<>();
        for (Query query : queries) {
            records.addAll(records(kafka, query));
            long second = (query.startedAt + DEADLINE) / 1000 * 1000;
            long[] counts = seconds.computeIfAbsent(second, s -> new long[2]);
            counts[0]++;
            counts[1] += query.isDegraded() ? 1 : 0;
        }
        seconds.forEach((second, counts) -> records.add(record(
                kafka,
                Topic.OBSERVATIONS,
                "shop/front/front-0",
                Codecs.OBSERVATION.encode(observation(second, counts)))));
        try (KafkaProducer<byte[], byte[]> producer =
                new KafkaProducer<>(kafka.forProducer(), new ByteArraySerializer(), new ByteArraySerializer())) {
            List<Future<RecordMetadata>> sent = new ArrayList<>();
            for (ProducerRecord<byte[], byte[]> record : records) {
                sent.add(producer.send(record));
            }
            for (Future<RecordMetadata> one : sent) {
                one.get();
            }
        }
    }

    private static Observation observation(long second, long[] counts) {
        return ObservationBuilder.builder()
                .service("shop")
                .tier("front")
                .server("front-0")
                .queryClass("high")
                .secondMillis(second)
                .offered(counts[0])
                .answered(counts[0])
                .timedOut(counts[1])
                .bill(MeasurementBill.NOTHING)
                .admittedFraction(1)
                .build();
    }

    private static List<ProducerRecord<byte[], byte[]>> records(KafkaSettings kafka, Query query) {
        List<Invocation> invocations = query.results.stream()
                .map(r -> new Invocation(
                        r.component,
                        r.isLate() ? Outcome.TIMED_OUT : Outcome.IN_TIME,
                        Math.min(r.latencyMicros(), (DEADLINE - r.waitMillis) * 1000L)))
                .toList();
        Answer answer = AnswerBuilder.builder()
                .service("shop")
                .queryId(query.id)
                .queryClass("high")
                .kind(AnswerKind.ONLINE)
                .startedAtMillis(query.startedAt)
                .answeredAtMillis(query.startedAt + DEADLINE)
                .deadlineMillis(DEADLINE)
                .invocations(invocations)
                .items(Items.NONE)
                .features(Features.of(7))
                .build();
        List<ProducerRecord<byte[], byte[]>> records = new ArrayList<>();
        records.add(record(kafka, Topic.ANSWERS, query.id, Codecs.ANSWER.encode(answer)));
        for (Result result : query.results) {
            if (query.isDegraded() || query.sendsResults) {
                PartialResult partial = PartialResultBuilder.builder()
                        .service("shop")
                        .queryId(query.id)
                        .component(result.component)
                        .server("")
                        .phase(result.isLate() ? Phase.MATURE : Phase.ONLINE)
                        .completedAtMillis(query.startedAt + result.afterMillis)
                        .latencyMicros(result.latencyMicros())
                        .items(Items.ofNumbers(result.ids, result.scores))
                        .build();
                records.add(record(kafka, Topic.PARTIALS, query.id, Codecs.PARTIAL_RESULT.encode(partial)));
            }
        }
        return records;
    }

    private static ProducerRecord<byte[], byte[]> record(KafkaSettings kafka, Topic topic, String key, byte[] value) {
        return new ProducerRecord<>(kafka.name(topic), key.getBytes(StandardCharsets.UTF_8), value);
    }
}
