package io.kipimo.endtoend;

import static io.kipimo.testing.Patience.PATIENCE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.kipimo.embedded.flink.FlinkCluster;
import io.kipimo.embedded.kafka.TopicLog;
import io.kipimo.endtoend.backends.Backends;
import io.kipimo.endtoend.backends.WithBackends;
import io.kipimo.otlp.OtlpReceiver;
import io.kipimo.otlp.SpanRules;
import io.kipimo.otlp.SpanRulesFile;
import io.kipimo.schemas.codec.Codecs;
import io.kipimo.schemas.observation.Observation;
import io.kipimo.schemas.policy.ClassPolicy;
import io.kipimo.schemas.policy.Policy;
import io.kipimo.schemas.quality.Completeness;
import io.kipimo.schemas.quality.Measurement;
import io.kipimo.schemas.quality.Unmeasurable;
import io.kipimo.schemas.topics.Topic;
import io.kipimo.sdk.KipimoConfig;
import io.kipimo.sdk.internal.control.Control;
import io.kipimo.sdk.internal.control.KipimoControl;
import io.kipimo.sdk.internal.kafka.PolicyStore;
import io.kipimo.sdk.internal.kafka.TopicAdmin;
import io.kipimo.sdk.internal.net.Address;
import io.kipimo.sdk.kafka.KafkaSettings;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Context;
import io.opentelemetry.exporter.otlp.http.trace.OtlpHttpSpanExporter;
import io.opentelemetry.sdk.resources.Resource;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.export.BatchSpanProcessor;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.LongUnaryOperator;
import java.util.function.ToLongFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The real OpenTelemetry SDK exports spans of known queries to the receiver, and the quality job measures them. Times
 * of the spans are set, so that nothing depends on the speed of the machine.
 */
@WithBackends
class OtlpITCase {
    private static final String SERVICE = "spans";
    private static final AttributeKey<List<String>> IDS = AttributeKey.stringArrayKey("kipimo.items.ids");
    private static final AttributeKey<List<Double>> SCORES = AttributeKey.doubleArrayKey("kipimo.items.scores");

    /** Start of the next query, epoch milliseconds. */
    private long startMillis = System.currentTimeMillis() - 10_000;

    private int queries;

    static Policy policy(String service) {
        return Policy.builder()
                .service(service)
                .version(1)
                .metrics(List.of("tpr@4"))
                .expirationWindowMillis(10_000)
                .windowMillis(1_000)
                .slideMillis(1_000)
                .classes(List.of(ClassPolicy.builder()
                        .name("default")
                        .priority(0)
                        .objective(0.9)
                        .floor(1)
                        .build()))
                .build();
    }

    /** A query whose front end answers after 50 ms. */
    private final class Query {
        private final Tracer tracer;
        private final Span front;
        private final long startMillis = OtlpITCase.this.startMillis;

        Query(Tracer tracer) {
            this.tracer = tracer;
            queries++;
            front = tracer.spanBuilder("GET /search")
                    .setSpanKind(SpanKind.SERVER)
                    .setNoParent()
                    .setStartTimestamp(startMillis, TimeUnit.MILLISECONDS)
                    .startSpan();
        }

        /** Starts a call of a component. */
        Span call(String component) {
            return tracer.spanBuilder("GET")
                    .setSpanKind(SpanKind.CLIENT)
                    .setParent(Context.root().with(front))
                    .setAttribute("server.address", component)
                    .setStartTimestamp(startMillis + 1, TimeUnit.MILLISECONDS)
                    .startSpan();
        }

        void end(Span span, long afterMillis) {
            span.end(startMillis + afterMillis, TimeUnit.MILLISECONDS);
        }

        /** Ends the front end's span; returns the query id. */
        String answer() {
            end(front, 50);
            return front.getSpanContext().getTraceId();
        }
    }

    private static Span result(Span span, double first, String... ids) {
        span.setAttribute(IDS, List.of(ids));
        span.setAttribute(SCORES, first == 0 ? List.of() : scores(first, ids.length));
        return span;
    }

    private static List<Double> scores(double first, int number) {
        return IntStream.range(0, number).mapToObj(i -> first - 0.1 * i).toList();
    }

    private String complete(Tracer tracer) {
        Query query = new Query(tracer);
        query.end(result(query.call("titles"), 0.9, "a", "b"), 10);
        query.end(result(query.call("texts"), 0.8, "c", "d"), 20);
        return query.answer();
    }

    /** Of the mature answer's best four, a c b d, the answer lacks the two of {@code texts}. */
    private String late(Tracer tracer) {
        Query query = new Query(tracer);
        query.end(result(query.call("titles"), 0.95, "a", "b"), 10);
        Span texts = query.call("texts");
        String id = query.answer();
        query.end(result(texts, 0.9, "c", "d"), 900);
        return id;
    }

    private String missing(Tracer tracer) {
        Query query = new Query(tracer);
        query.end(result(query.call("titles"), 0.9, "a", "b"), 10);
        return query.answer();
    }

    private String withoutItems(Tracer tracer) {
        Query query = new Query(tracer);
        query.end(query.call("titles"), 10);
        query.end(query.call("texts"), 10);
        return query.answer();
    }

    private String failed(Tracer tracer) {
        Query query = new Query(tracer);
        query.end(result(query.call("titles"), 0.9, "a"), 10);
        query.end(result(query.call("texts"), 0.9, "c"), 10);
        query.front.setStatus(StatusCode.ERROR);
        return query.answer();
    }

    private static String text(Measurement row) {
        return row.completeness()
                + row.unmeasurable().map(why -> " " + why).orElse("")
                + (row.scores().isEmpty()
                        ? ""
                        : " %.4f..%.4f"
                                .formatted(
                                        row.scores().get(0).low(),
                                        row.scores().get(0).high()));
    }

    @Test
    void spansOfTheRealSdkAreMeasured(Backends backends, FlinkCluster cluster) throws Exception {
        KafkaSettings kafka = new KafkaSettings(backends.bootstrapServers(), "otlp.", Map.of());
        TopicAdmin.createMissing(kafka, 1, (short) 1);
        PolicyStore.publish(
                kafka, policy(SERVICE).toBuilder().expirationWindowMillis(3_000).build());
        SpanRules rules = SpanRulesFile.read("{expected: [titles, texts], hold: 1s, sampling: {rate: 1}, top-k: 4}");
        try (TopicLog<Measurement> log = new TopicLog<>(kafka, Topic.QUALITY, Codecs.MEASUREMENT);
                TopicLog<Observation> counts = new TopicLog<>(kafka, Topic.OBSERVATIONS, Codecs.OBSERVATION)) {
            QualityJobs.start(cluster, kafka, 1, Map.of());
            Map<String, String> expected = new TreeMap<>();
            try (OtlpReceiver receiver = OtlpReceiver.start(
                            new Address("127.0.0.1", 0),
                            rules,
                            (service, emittedUpTo) -> control(service, rules, kafka, emittedUpTo),
                            System::currentTimeMillis);
                    SdkTracerProvider provider = provider(receiver.port())) {
                Tracer tracer = provider.get("test");
                expected.put(complete(tracer), Completeness.COMPLETE + " 1.0000..1.0000");
                expected.put(late(tracer), Completeness.COMPLETE + " 0.5000..0.5000");
                // The missing component may have had all four items, as nothing is known of it.
                expected.put(missing(tracer), Completeness.EXPIRED + " 0.0000..1.0000");
                expected.put(withoutItems(tracer), Completeness.NOT_MEASURABLE + " UNREADABLE");
                expected.put(failed(tracer), Completeness.NOT_MEASURABLE + " FAILED_ANSWER");
                flush(provider);

                await("all queries are measured")
                        .atMost(PATIENCE)
                        .pollInterval(Duration.ofSeconds(1))
                        .until(() -> {
                            // Event time goes on, so that a query expires.
                            startMillis = System.currentTimeMillis() - 1_000;
                            complete(tracer);
                            flush(provider);
                            return rows(log).keySet().containsAll(expected.keySet());
                        });
            }
            Map<String, String> measured = rows(log);
            assertThat(measured).containsAllEntriesOf(expected);
            await("all queries are counted").atMost(PATIENCE).untilAsserted(() -> assertThat(
                            sum(counts, Observation::answered))
                    .isEqualTo(queries));
            assertThat(sum(counts, Observation::timedOut)).isEqualTo(2);
            assertThat(sum(counts, o -> Unmeasurable.sum(o.unmeasurable()))).isEqualTo(2);
        }
    }

    /**
     * A service with a query in four seconds, and the receiver's own defaults: the counts of each second must not move
     * event time past the answers that wait for their spans.
     */
    @Tag("full")
    @Test
    void aServiceWithLittleTrafficIsMeasuredWithTheDefaults(Backends backends, FlinkCluster cluster) throws Exception {
        KafkaSettings kafka = new KafkaSettings(backends.bootstrapServers(), "little-traffic.", Map.of());
        TopicAdmin.createMissing(kafka, 1, (short) 1);
        PolicyStore.publish(kafka, policy(SERVICE));
        SpanRules rules = SpanRulesFile.read("{expected: [titles, texts], sampling: {rate: 1}, top-k: 4}");
        Map<String, String> expected = new TreeMap<>();
        try (TopicLog<Measurement> log = new TopicLog<>(kafka, Topic.QUALITY, Codecs.MEASUREMENT);
                OtlpReceiver receiver = OtlpReceiver.start(
                        new Address("127.0.0.1", 0),
                        rules,
                        (service, emittedUpTo) -> control(service, rules, kafka, emittedUpTo),
                        System::currentTimeMillis);
                // Another front end without any traffic.
                Control idle = control(SERVICE, rules, kafka, now -> now - 20_000);
                SdkTracerProvider provider = provider(receiver.port())) {
            QualityJobs.start(cluster, kafka, 1, Map.of());
            Tracer tracer = provider.get("test");
            for (int i = 0; i < 3; i++) {
                startMillis = System.currentTimeMillis() - 1_000;
                expected.put(late(tracer), Completeness.COMPLETE + " 0.5000..0.5000");
                TimeUnit.SECONDS.sleep(4);
            }
            await("all queries are measured")
                    .atMost(PATIENCE)
                    .pollInterval(Duration.ofSeconds(1))
                    .untilAsserted(() -> assertThat(rows(log)).isEqualTo(expected));
        }
    }

    static Control control(String service, SpanRules rules, KafkaSettings kafka, LongUnaryOperator emittedUpTo) {
        return KipimoControl.connect(
                KipimoConfig.builder(service, "otlp-1", kafka)
                        .initialSamplingRate(rules.samplingRate())
                        .queryClass("default", rules.classes().get("default"))
                        .build(),
                emittedUpTo);
    }

    private static SdkTracerProvider provider(int port) {
        return SdkTracerProvider.builder()
                .setResource(Resource.create(Attributes.of(AttributeKey.stringKey("service.name"), SERVICE)))
                .addSpanProcessor(BatchSpanProcessor.builder(OtlpHttpSpanExporter.builder()
                                .setEndpoint("http://127.0.0.1:" + port + "/v1/traces")
                                .setCompression("gzip")
                                .build())
                        .build())
                .build();
    }

    private static void flush(SdkTracerProvider provider) {
        assertThat(provider.forceFlush().join(1, TimeUnit.MINUTES).isSuccess()).isTrue();
    }

    static Map<String, String> rows(TopicLog<Measurement> log) {
        Map<String, String> rows = new TreeMap<>();
        log.readOn().forEach(row -> rows.put(row.queryId(), text(row)));
        return rows;
    }

    private static long sum(TopicLog<Observation> log, ToLongFunction<Observation> figure) {
        return log.readOn().stream().mapToLong(figure).sum();
    }
}
