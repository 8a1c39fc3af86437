package io.kipimo.endtoend;

import static io.kipimo.testing.Patience.PATIENCE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.kipimo.duplicates.DuplicateProxy;
import io.kipimo.duplicates.DuplicateStanding;
import io.kipimo.duplicates.DuplicatesClient;
import io.kipimo.duplicates.NoDuplicateException;
import io.kipimo.duplicates.OrderedLog;
import io.kipimo.duplicates.ReadResult;
import io.kipimo.duplicates.Version;
import io.kipimo.duplicates.WriteResult;
import io.kipimo.embedded.flink.MetricsPage;
import io.kipimo.embedded.redis.EmbeddedRedis;
import io.kipimo.endtoend.backends.Backends;
import io.kipimo.endtoend.backends.WithBackends;
import io.kipimo.harness.duplicates.Operation;
import io.kipimo.harness.duplicates.Operation.Kind;
import io.kipimo.harness.duplicates.Operation.Seen;
import io.kipimo.harness.duplicates.OperationBuilder;
import io.kipimo.harness.duplicates.OperationHistory;
import io.kipimo.redis.RedisSettings;
import io.kipimo.sdk.internal.net.Address;
import io.kipimo.sdk.kafka.KafkaSettings;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import redis.clients.jedis.RedisClient;

/** Three Redis duplicates behave as a single store to their clients, even if one fails. */
@WithBackends
class DuplicatesITCase {
    private static final int PATIENCE_MILLIS = 10_000;
    private static final int DUPLICATES = 3;
    private static final int SESSIONS = 4;
    private static final int OPERATIONS = 200;
    private static final int KEYS = 5;

    private final List<EmbeddedRedis> stores = new ArrayList<>();
    private final List<DuplicateProxy> proxies = new ArrayList<>();
    private final List<Address> addresses = new ArrayList<>();
    private KafkaSettings kafka;
    private String topic;

    @BeforeEach
    void start(Backends backends) throws Exception {
        kafka = KafkaSettings.of(backends.bootstrapServers());
        topic = "duplicates-" + System.nanoTime();
        OrderedLog.create(kafka, topic, (short) 1);
        for (int i = 0; i < DUPLICATES; i++) {
            EmbeddedRedis store = EmbeddedRedis.start();
            stores.add(store);
            DuplicateProxy proxy = DuplicateProxy.start(new DuplicateProxy.Duplicating(
                    kafka,
                    topic,
                    RedisSettings.of(store.host(), store.port()),
                    new Address("127.0.0.1", 0),
                    DuplicateProxy.Duplicating.PATIENCE_MILLIS));
            proxies.add(proxy);
            addresses.add(new Address("127.0.0.1", proxy.port()));
        }
        proxies.forEach(DuplicatesITCase::awaitServing);
    }

    @AfterEach
    void stop() {
        proxies.forEach(DuplicateProxy::close);
        stores.forEach(EmbeddedRedis::close);
    }

    private static void awaitServing(DuplicateProxy proxy) {
        await("serving").atMost(PATIENCE).until(() -> proxy.standing() == DuplicateStanding.SERVING);
    }

    private DuplicatesClient client() {
        return DuplicatesClient.connect(kafka, topic, addresses, PATIENCE_MILLIS);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    @Test
    void aKilledDuplicateLosesAndReordersNothing() throws Exception {
        Queue<Operation> history = new ConcurrentLinkedQueue<>();
        AtomicInteger done = new AtomicInteger();
        List<CompletableFuture<Void>> sessions = new ArrayList<>();
        for (int i = 0; i < SESSIONS; i++) {
            int session = i;
            sessions.add(CompletableFuture.runAsync(() -> work(session, history, done)));
        }
        awaitDone(done, SESSIONS * OPERATIONS / 4);
        stores.get(1).kill();
        await("down").atMost(PATIENCE).until(() -> proxies.get(1).standing() != DuplicateStanding.SERVING);
        int whileOut = done.get();
        awaitDone(done, whileOut + SESSIONS * OPERATIONS / 4);
        // The duplicate restarts empty, and reads the log from the beginning.
        stores.get(1).revive();
        CompletableFuture.allOf(sessions.toArray(new CompletableFuture<?>[0])).join();
        awaitServing(proxies.get(1));

        try (DuplicatesClient client = client()) {
            // At the end every duplicate has all writes.
            long last = client.putOnAll("last", bytes("last")).join().ticket();
            history.add(operation(
                    "last",
                    System.nanoTime(),
                    Kind.PUT,
                    "last",
                    Optional.of("last"),
                    OptionalLong.of(last),
                    true,
                    Optional.empty()));
            for (Address duplicate : addresses) {
                for (int key = 0; key < KEYS; key++) {
                    long start = System.nanoTime();
                    ReadResult found = client.readFrom(duplicate, "k" + key).join();
                    history.add(read("at " + duplicate, start, "k" + key, found));
                    assertThat(found.asOf()).isEqualTo(last);
                }
            }
            assertThat(client.disagreements()).isZero();
        }
        assertThat(OperationHistory.violations(List.copyOf(history))).isEmpty();
        assertThat(history.stream().filter(o -> o.ticket().isPresent()))
                .as("two duplicates were always up, so few requests have no answer")
                .hasSizeGreaterThan(SESSIONS * OPERATIONS * 9 / 10);
    }

    private static void awaitDone(AtomicInteger done, int wanted) {
        await("operations").atMost(PATIENCE).until(() -> done.get() >= wanted);
    }

    private void work(int session, Queue<Operation> history, AtomicInteger done) {
        Random random = new Random(session);
        try (DuplicatesClient client = client()) {
            for (int i = 0; i < OPERATIONS; i++) {
                operate(client, "s" + session, "v" + session + '-' + i, random, history);
                done.incrementAndGet();
            }
        }
    }

    private static void operate(
            DuplicatesClient client, String session, String value, Random random, Queue<Operation> history) {
        String key = "k" + random.nextInt(KEYS);
        Kind kind = Kind.values()[random.nextInt(Kind.values().length)];
        Optional<String> written = kind == Kind.PUT || kind == Kind.CREATE ? Optional.of(value) : Optional.empty();
        long start = System.nanoTime();
        try {
            if (kind == Kind.READ) {
                history.add(read(
                        session,
                        start,
                        key,
                        (random.nextBoolean() ? client.read(key) : client.readFromOne(key)).join()));
                return;
            }
            WriteResult result =
                    switch (kind) {
                        case PUT -> client.put(key, bytes(value)).join();
                        case CREATE -> client.create(key, bytes(value)).join();
                        default -> client.delete(key).join();
                    };
            history.add(operation(
                    session,
                    start,
                    kind,
                    key,
                    written,
                    OptionalLong.of(result.ticket()),
                    result.applied(),
                    result.before().map(DuplicatesITCase::seen)));
        } catch (CompletionException e) {
            if (kind != Kind.READ) {
                history.add(
                        operation(session, start, kind, key, written, OptionalLong.empty(), false, Optional.empty()));
            }
        }
    }

    private static Operation operation(
            String session,
            long startNanos,
            Kind kind,
            String key,
            Optional<String> value,
            OptionalLong ticket,
            boolean applied,
            Optional<Seen> seen) {
        return OperationBuilder.builder()
                .session(session)
                .startNanos(startNanos)
                .endNanos(System.nanoTime())
                .kind(kind)
                .key(key)
                .value(value)
                .ticket(ticket)
                .applied(applied)
                .seen(seen)
                .build();
    }

    private static Operation read(String session, long start, String key, ReadResult found) {
        return operation(
                session,
                start,
                Kind.READ,
                key,
                Optional.empty(),
                OptionalLong.of(found.asOf()),
                true,
                found.version().map(DuplicatesITCase::seen));
    }

    private static Seen seen(Version version) {
        return new Seen(new String(version.value(), StandardCharsets.UTF_8), version.ticket());
    }

    @Test
    void aStoreThatWentBackIsOutUntilItHasCaughtUp() {
        try (DuplicatesClient client = client();
                RedisClient store =
                        RedisClient.create(stores.get(0).host(), stores.get(0).port())) {
            for (int i = 0; i < 5; i++) {
                client.putOnAll("k", bytes("v" + i)).join();
            }
            // Like a restart from an old snapshot.
            store.flushAll();

            await("found without a write").atMost(PATIENCE).until(() -> outs(proxies.get(0)) > 0);
            awaitServing(proxies.get(0));
            ReadResult found = client.readFrom(addresses.get(0), "k").join();
            assertThat(found.asOf()).isEqualTo(4);
            assertThat(found.version().orElseThrow().value()).isEqualTo(bytes("v4"));
        }
    }

    private static long outs(DuplicateProxy proxy) {
        return (long) new MetricsPage(proxy.metrics()).sum("kipimo_duplicate_outs_total");
    }

    @Test
    void aWriteToAllNeedsAll() {
        try (DuplicatesClient client = client()) {
            client.putOnAll("k", bytes("v")).join();
            stores.get(2).kill();
            await("down").atMost(PATIENCE).until(() -> proxies.get(2).standing() != DuplicateStanding.SERVING);

            assertThatThrownBy(() -> client.putOnAll("k", bytes("w")).join())
                    .hasCauseInstanceOf(NoDuplicateException.class);
            WriteResult one = client.put("k", bytes("x")).join();
            assertThat(one.before().orElseThrow().value()).isEqualTo(bytes("w"));
        }
    }

    @Test
    void aTopicOfSeveralOrdersIsRefused() throws Exception {
        Map<String, Object> settings = kafka.forAdmin();
        String wide = topic + "-wide";
        String compacted = topic + "-compacted";
        try (Admin admin = Admin.create(settings)) {
            var unused = admin.createTopics(List.of(
                            new NewTopic(wide, 2, (short) 1),
                            new NewTopic(compacted, 1, (short) 1).configs(Map.of("cleanup.policy", "compact"))))
                    .all()
                    .get();
        }
        await("topics exist").atMost(PATIENCE).untilAsserted(() -> {
            assertThatThrownBy(() -> OrderedLog.find(kafka, wide)).hasMessageContaining("has 2 partitions; allowed: 1");
            assertThatThrownBy(() -> OrderedLog.find(kafka, compacted)).hasMessageContaining("allowed: delete");
        });
    }
}
