package io.kipimo.caching.purge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpServer;
import io.kipimo.schemas.caching.CachedKind;
import io.kipimo.schemas.caching.Invalidation;
import io.kipimo.schemas.caching.InvalidationBuilder;
import io.kipimo.schemas.caching.InvalidationMode;
import io.kipimo.schemas.caching.ResultChange;
import io.kipimo.schemas.codec.Codecs;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.kafka.clients.consumer.CommitFailedException;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

class PurgeFeedTest {
    private static final TopicPartition PARTITION = new TopicPartition("invalidations", 0);

    @Test
    void purgesEachKeyOnceAndCommitsWhenItIsDone() throws Exception {
        List<String> asked = new CopyOnWriteArrayList<>();
        HttpServer cache = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        cache.createContext("/", exchange -> {
            asked.add(exchange.getRequestURI()
                    + " "
                    + exchange.getRequestHeaders().getFirst(CachePurger.MODE));
            exchange.getResponseHeaders().set(CachePurger.MODE, "done");
            exchange.sendResponseHeaders(200, -1);
            exchange.close();
        });
        cache.start();
        CachePurger.Purging settings = new CachePurger.Purging(
                CacheKind.VARNISH,
                List.of(URI.create("http://127.0.0.1:" + cache.getAddress().getPort())),
                new KeyPaths("/{table}/{key}", "/{table}/q/{key}"),
                1,
                Duration.ofSeconds(5));
        MockConsumer<byte[], byte[]> consumer = assigned();
        add(consumer, 0, invalidation("p-1", CachedKind.RECORD, InvalidationMode.SOFT));
        add(consumer, 1, invalidation("cheap", CachedKind.QUERY, InvalidationMode.SOFT));
        consumer.addRecord(new ConsumerRecord<>("invalidations", 0, 2, new byte[0], new byte[] {1}));
        add(consumer, 3, invalidation("p-1", CachedKind.RECORD, InvalidationMode.HARD));
        // Keys that are no path, and a tombstone.
        add(consumer, 4, invalidation("//127.0.0.1:1/a", CachedKind.QUERY, InvalidationMode.HARD));
        add(consumer, 5, invalidation("..", CachedKind.RECORD, InvalidationMode.HARD));
        add(consumer, 6, invalidation("/%", CachedKind.RECORD, InvalidationMode.HARD));
        consumer.addRecord(new ConsumerRecord<>("invalidations", 0, 7, new byte[0], null));
        add(consumer, 8, invalidation("p-2", CachedKind.RECORD, InvalidationMode.HARD));
        CachePurger purger = CachePurger.of(settings);
        PurgeFeed feed = new PurgeFeed(() -> consumer, purger, settings);

        feed.step(consumer);

        assertThat(asked)
                .containsExactlyInAnyOrder("/products/p-1 hard", "/products/q/cheap soft", "/products/p-2 hard");
        assertThat(purger.purged()).isEqualTo(3);
        assertThat(purger.skipped()).isEqualTo(3);
        assertThat(consumer.committed(Set.of(PARTITION)).get(PARTITION).offset())
                .isEqualTo(9);
        cache.stop(0);
    }

    /** A rebalance or a broker that fails ends a step, not the feed. */
    @Test
    void goesOnAfterAStepThatFailed() throws Exception {
        CachePurger.Purging settings = new CachePurger.Purging(
                CacheKind.VARNISH, List.of(), new KeyPaths("/{key}", "/{key}"), 1, Duration.ofSeconds(5));
        MockConsumer<byte[], byte[]> works = assigned();
        add(works, 0, invalidation("p", CachedKind.RECORD, InvalidationMode.HARD));
        Iterator<Consumer<byte[], byte[]>> consumers = List.<Consumer<byte[], byte[]>>of(
                        failing(new KafkaException("the coordinator is away")),
                        failing(new CommitFailedException()),
                        works)
                .iterator();
        try (PurgeFeed feed = new PurgeFeed(consumers::next, CachePurger.of(settings), settings)) {
            feed.start();
            await().until(() -> works.committed(Set.of(PARTITION)).get(PARTITION) != null);
        }
    }

    private static MockConsumer<byte[], byte[]> assigned() {
        MockConsumer<byte[], byte[]> consumer = new MockConsumer<>("earliest");
        consumer.assign(List.of(PARTITION));
        consumer.updateBeginningOffsets(Map.of(PARTITION, 0L));
        return consumer;
    }

    private static MockConsumer<byte[], byte[]> failing(KafkaException why) {
        MockConsumer<byte[], byte[]> consumer = assigned();
        consumer.setPollException(why);
        return consumer;
    }

    private static void add(MockConsumer<byte[], byte[]> consumer, long offset, Invalidation invalidation) {
        consumer.addRecord(new ConsumerRecord<>(
                "invalidations", 0, offset, new byte[0], Codecs.INVALIDATION.encode(invalidation)));
    }

    private static Invalidation invalidation(String key, CachedKind kind, InvalidationMode mode) {
        return InvalidationBuilder.builder()
                .service("shop")
                .table("products")
                .key(key)
                .kind(kind)
                .change(ResultChange.CHANGED)
                .record("p-1")
                .version(7)
                .writtenMillis(1_700_000_000_000L)
                .mode(mode)
                .serveStaleMillis(mode == InvalidationMode.SOFT ? 10_000 : 0)
                .build();
    }
}
