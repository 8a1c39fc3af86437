package io.kipimo.gateway.record;

import io.kipimo.http.BufferBudget;
import io.kipimo.redis.RedisConnections;
import io.kipimo.redis.RedisSettings;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import redis.clients.jedis.RedisClient;
import redis.clients.jedis.exceptions.JedisException;
import redis.clients.jedis.params.SetParams;

/**
 * Keeps responses of sampled queries in Redis until they expire. Several nodes share the keys by hash. The bytes of
 * this gateway are bounded. No request waits for a slow node: a failed write is counted, and a failed read counts as a
 * miss, so the component is called.
 */
public final class MemoCache implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(MemoCache.class);
    private static final String PREFIX = "kipimo:memo:";
    private static final int TIMEOUT_MILLIS = 250;
    private static final int THREADS = 4;
    private static final int WAITING = 2_000;

    private final List<RedisClient> nodes = new ArrayList<>();
    private final long expirationMillis;
    private final MemoBudget budget;
    private final BufferBudget buffers;
    private final ThreadPoolExecutor threads;
    private final LongAdder stored = new LongAdder();
    private final LongAdder unstored = new LongAdder();
    private final LongAdder hits = new LongAdder();
    private final LongAdder misses = new LongAdder();

    /**
     * Connects in the background, so that the first response need not wait: a write may take {@value #TIMEOUT_MILLIS}
     * ms.
     *
     * @param mostBytes greatest size of this gateway's responses in Redis
     * @param buffers room for responses on their way to Redis
     * @throws IllegalArgumentException if a password cannot be read
     */
    public MemoCache(List<RedisSettings> settings, long expirationMillis, long mostBytes, BufferBudget buffers) {
        this.expirationMillis = expirationMillis;
        this.budget = new MemoBudget(mostBytes);
        this.buffers = buffers;
        for (RedisSettings node : settings) {
            nodes.add(RedisConnections.open(node, "kipimo-gateway", TIMEOUT_MILLIS, THREADS));
        }
        threads = new ThreadPoolExecutor(
                THREADS, THREADS, 1, TimeUnit.MINUTES, new ArrayBlockingQueue<>(WAITING), task -> {
                    Thread thread = new Thread(task, "kipimo-memo");
                    thread.setDaemon(true);
                    return thread;
                });
        for (RedisClient node : nodes) {
            var unused = run(node::ping);
        }
    }

    /**
     * Keeps a response until the expiration; returns at once.
     *
     * @return completed when the write has succeeded or failed
     */
    public CompletableFuture<Void> put(MemoKey key, RecordedResponse response) {
        byte[] value = response.encode();
        if (!takeRoom(value.length)) {
            unstored.increment();
            return CompletableFuture.completedFuture(null);
        }
        return run(() -> {
                    node(key).set(bytes(key), value, SetParams.setParams().px(expirationMillis));
                    stored.increment();
                    return Boolean.TRUE;
                })
                .thenAccept(done -> {
                    buffers.giveBack(value.length);
                    if (done.isEmpty()) {
                        unstored.increment();
                    }
                });
    }

    private boolean takeRoom(int bytes) {
        if (nodes.isEmpty() || !buffers.take(bytes)) {
            return false;
        }
        long now = System.nanoTime() / 1_000_000;
        boolean fits;
        synchronized (budget) {
            fits = budget.take(bytes, now + expirationMillis, now);
        }
        if (!fits) {
            buffers.giveBack(bytes);
        }
        return fits;
    }

    /** The response with this key; empty: there is none, or its node does not answer. */
    public CompletableFuture<Optional<RecordedResponse>> get(MemoKey key) {
        if (nodes.isEmpty()) {
            return CompletableFuture.completedFuture(Optional.empty());
        }
        return run(() -> node(key).get(bytes(key))).thenApply(found -> {
            Optional<RecordedResponse> response = found.map(RecordedResponse::decode);
            (response.isPresent() ? hits : misses).increment();
            return response;
        });
    }

    private interface MemoWork<T> {
        T run();
    }

    private <T> CompletableFuture<Optional<T>> run(MemoWork<T> work) {
        CompletableFuture<Optional<T>> done = new CompletableFuture<>();
        try {
            threads.execute(() -> {
                try {
                    done.complete(Optional.ofNullable(work.run()));
                } catch (JedisException e) {
                    LOG.debug("memo cache", e);
                    done.complete(Optional.empty());
                }
            });
        } catch (RejectedExecutionException e) {
            done.complete(Optional.empty());
        }
        return done;
    }

    private RedisClient node(MemoKey key) {
        return nodes.get(Math.floorMod(key.text().hashCode(), nodes.size()));
    }

    private static byte[] bytes(MemoKey key) {
        return (PREFIX + key.text()).getBytes(StandardCharsets.US_ASCII);
    }

    public long stored() {
        return stored.sum();
    }

    /** Responses that were not kept: no room, or a node was down. */
    public long unstored() {
        return unstored.sum();
    }

    public long hits() {
        return hits.sum();
    }

    public long misses() {
        return misses.sum();
    }

    /** Bytes of this gateway's responses in Redis. */
    public long bytes() {
        synchronized (budget) {
            return budget.bytes();
        }
    }

    @Override
    public void close() {
        threads.shutdownNow();
        nodes.forEach(RedisClient::close);
    }
}
