package io.kipimo.labs.demos.caching;

import static io.kipimo.testing.Patience.PATIENCE;
import static org.assertj.core.api.Assertions.assertThat;

import io.kipimo.caching.changes.ChangeFeed;
import io.kipimo.caching.changes.ChangeServer;
import io.kipimo.caching.purge.KeyPaths;
import io.kipimo.caching.truth.TruthFeed;
import io.kipimo.caching.truth.TruthProber;
import io.kipimo.core.stale.CacheTruthProbe;
import io.kipimo.core.stale.ReadHistory;
import io.kipimo.endtoend.backends.Backends;
import io.kipimo.endtoend.backends.WithBackends;
import io.kipimo.schemas.caching.CacheTruth;
import io.kipimo.schemas.caching.CachedKind;
import io.kipimo.schemas.caching.InvalidationBuilder;
import io.kipimo.schemas.caching.InvalidationMode;
import io.kipimo.schemas.caching.RecordWrite;
import io.kipimo.schemas.caching.ResultChange;
import io.kipimo.schemas.caching.WriteKind;
import io.kipimo.schemas.codec.Codecs;
import io.kipimo.schemas.topics.Topic;
import io.kipimo.sdk.CachingReports;
import io.kipimo.sdk.internal.invalidation.InvalidationHeaders;
import io.kipimo.sdk.internal.kafka.TopicAdmin;
import io.kipimo.sdk.internal.kafka.TopicReader;
import io.kipimo.sdk.kafka.KafkaSettings;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The prober and the change stream on a real broker. */
@WithBackends
class CachingFeedsITCase {
    private static final long EPOCH = 4;

    private static KafkaSettings kafka;

    private long sequence;

    @BeforeAll
    static void start(Backends backends) {
        kafka = new KafkaSettings(backends.bootstrapServers(), "feeds.", Map.of());
        TopicAdmin.createMissing(kafka, 1, (short) 1);
    }

    private void invalidate(KafkaProducer<byte[], byte[]> producer, String key, String record) throws Exception {
        ProducerRecord<byte[], byte[]> entry = new ProducerRecord<>(
                kafka.name(Topic.INVALIDATIONS),
                Codecs.INVALIDATION.encode(InvalidationBuilder.builder()
                        .service("shop")
                        .table("things")
                        .key(key)
                        .kind(CachedKind.QUERY)
                        .change(ResultChange.ADDED)
                        .record(record)
                        .version(1)
                        .writtenMillis(1)
                        .mode(InvalidationMode.HARD)
                        .sequence(sequence++)
                        .build()));
        InvalidationHeaders.add(entry.headers(), EPOCH, 0);
        producer.send(entry).get();
    }

    private static KafkaProducer<byte[], byte[]> producer() {
        return new KafkaProducer<>(kafka.forProducer(), new ByteArraySerializer(), new ByteArraySerializer());
    }

    /** Lines of a stream; it ends with the server. */
    private static List<String> stream(int port, String lastEventId) {
        List<String> lines = new CopyOnWriteArrayList<>();
        HttpRequest.Builder request =
                HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/changes?key=shop/things/q1"));
        if (!lastEventId.isEmpty()) {
            request.header("Last-Event-ID", lastEventId);
        }
        HttpClient http =
                HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
        Awaitility.await().atMost(PATIENCE).until(() -> {
            var answer = http.send(request.build(), BodyHandlers.ofLines());
            if (answer.statusCode() != 200) {
                return false;
            }
            Thread reader = new Thread(() -> {
                try {
                    answer.body().forEach(lines::add);
                } catch (UncheckedIOException e) {
                    lines.add("closed");
                }
            });
            reader.setDaemon(true);
            reader.start();
            return true;
        });
        return lines;
    }

    private static void awaitLine(List<String> lines, String text) {
        Awaitility.await().atMost(PATIENCE).untilAsserted(() -> assertThat(lines)
                .anyMatch(line -> line.contains(text)));
    }

    private static String lastId(List<String> lines) {
        return lines.stream()
                .filter(line -> line.startsWith("id: "))
                .reduce((a, b) -> b)
                .orElseThrow()
                .substring(4);
    }

    @Test
    void aPageMissesNoNotificationThoughItReconnectsToAnotherServer() throws Exception {
        ChangeServer.Serving settings = new ChangeServer.Serving(10, 100, 200, Set.of(), Optional.empty());
        try (KafkaProducer<byte[], byte[]> producer = producer()) {
            String id;
            try (ChangeServer server = ChangeServer.start(settings, "127.0.0.1", 0);
                    ChangeFeed feed = ChangeFeed.start(kafka, server, 100)) {
                List<String> lines = stream(server.port(), "");
                awaitLine(lines, "event: ready");
                invalidate(producer, "q1", "r1");
                awaitLine(lines, "r1");
                int seen = lines.size();
                Awaitility.await().atMost(PATIENCE).until(() -> lines.size() > seen + 3);
                id = lastId(lines);
            }
            invalidate(producer, "q1", "r2");
            invalidate(producer, "q2", "r3");
            try (ChangeServer server = ChangeServer.start(settings, "127.0.0.1", 0);
                    ChangeFeed feed = ChangeFeed.start(kafka, server, 100)) {
                List<String> lines = stream(server.port(), id);
                awaitLine(lines, "r2");
                awaitLine(lines, "event: ready");
                assertThat(lines)
                        .noneMatch(line -> line.contains("reload") || line.contains("r1") || line.contains("r3"));
            }
            // One that keeps less than what was missed.
            invalidate(producer, "q2", "r4");
            ChangeServer.Serving small = new ChangeServer.Serving(10, 1, 200, Set.of(), Optional.empty());
            try (ChangeServer server = ChangeServer.start(small, "127.0.0.1", 0);
                    ChangeFeed feed = ChangeFeed.start(kafka, server, 1)) {
                awaitLine(stream(server.port(), id), "event: reload");
            }
        }
    }

    @Test
    void theProberHearsOfWritesAndPublishesWhatItFinds() throws Exception {
        Vertx vertx = Vertx.vertx();
        try (VersionedOrigin origin = new VersionedOrigin(vertx, new ReadHistory(0), System::nanoTime, false, 0);
                CachingReports reports = CachingReports.connect(kafka)) {
            HttpServer server = vertx.createHttpServer().requestHandler(origin::handle);
            server.listen(0, "127.0.0.1")
                    .toCompletionStage()
                    .toCompletableFuture()
                    .join();
            TruthProber.Probing settings = new TruthProber.Probing(
                    "probe-1",
                    Set.of("shop/items"),
                    URI.create("http://127.0.0.1:" + server.actualPort()),
                    List.of(),
                    Optional.empty(),
                    new KeyPaths("/{key}", "/{key}"),
                    500,
                    Duration.ofSeconds(10),
                    new CacheTruthProbe.Watching(List.of(1_000L), 0, true, 10));
            try (TruthProber prober = TruthProber.start(settings);
                    TruthFeed feed = TruthFeed.start(kafka, prober)) {
                long now = System.currentTimeMillis();
                reports.wrote(new RecordWrite("shop", "items", "k1", WriteKind.INSERT, 1, now, "{}"))
                        .join();
                Awaitility.await().atMost(PATIENCE).until(() -> {
                    List<CacheTruth> truths = new ArrayList<>();
                    TopicReader.read(kafka, Topic.CACHE_TRUTH, 0, Codecs.CACHE_TRUTH, truths::add);
                    return truths.stream()
                            .flatMap(truth -> truth.links().stream())
                            .anyMatch(link -> link.fresh() > 0);
                });
            }
            assertThat(origin.reads()).isGreaterThanOrEqualTo(2);
        } finally {
            vertx.close().toCompletionStage().toCompletableFuture().join();
        }
    }
}
