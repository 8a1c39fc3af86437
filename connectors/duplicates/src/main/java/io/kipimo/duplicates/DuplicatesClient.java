package io.kipimo.duplicates;

import io.kipimo.core.arbitration.CopyBudget;
import io.kipimo.sdk.internal.net.Address;
import io.kipimo.sdk.kafka.BrokerUnavailableException;
import io.kipimo.sdk.kafka.KafkaSettings;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.MultiMap;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.PoolOptions;
import io.vertx.core.http.RequestOptions;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BiFunction;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Client of the duplicates. It sends reads and writes to all of them, and takes the first answer. All writes have one
 * order. A client sees its own writes, and never an older state than it has seen before. Writes of other clients may
 * become visible late.
 *
 * <p>A failed write may nevertheless be applied, once.
 */
public final class DuplicatesClient implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(DuplicatesClient.class);
    private static final int CONNECTIONS = 256;

    private final List<Address> duplicates;
    private final String topic;
    private final int patienceMillis;
    private final KafkaProducer<byte[], byte[]> log;
    private final Vertx vertx = Vertx.vertx(new VertxOptions().setEventLoopPoolSize(1));
    private final Context loop = vertx.getOrCreateContext();
    private final HttpClient http;
    private final AtomicLong seen = new AtomicLong(-1);
    private final LongAdder disagreements = new LongAdder();
    private final LateReads late;

    private DuplicatesClient(
            List<Address> duplicates, String topic, int patienceMillis, KafkaProducer<byte[], byte[]> log) {
        this.duplicates = List.copyOf(duplicates);
        this.topic = topic;
        this.patienceMillis = patienceMillis;
        this.log = log;
        http = vertx.createHttpClient(
                new HttpClientOptions().setConnectTimeout(patienceMillis),
                new PoolOptions().setHttp1MaxSize(CONNECTIONS));
        late = new LateReads(
                vertx,
                duplicates.size(),
                patienceMillis,
                (server, attempt) ->
                        ask(duplicates.get(server), attempt.target(), attempt.least(), ResultFormat::readResult));
    }

    /**
     * Connects.
     *
     * @param duplicates addresses of the duplicates' proxies, at least one
     * @param patienceMillis time limit of a write or read, milliseconds, at least 1
     * @throws IllegalArgumentException if there are no duplicates, or the topic cannot be an ordered log
     * @throws BrokerUnavailableException if Kafka does not answer, or the topic does not exist
     */
    public static DuplicatesClient connect(
            KafkaSettings kafka, String topic, List<Address> duplicates, int patienceMillis) {
        if (duplicates.isEmpty() || patienceMillis < 1) {
            throw new IllegalArgumentException("duplicates are %s, patience is %s ms; allowed: at least one, at least 1"
                    .formatted(duplicates, patienceMillis));
        }
        OrderedLog found = OrderedLog.find(kafka, topic);
        Map<String, Object> properties = kafka.forProducer();
        // Writes keep their order and are not duplicated.
        properties.put(ProducerConfig.ACKS_CONFIG, "all");
        properties.put(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, true);
        properties.put(ProducerConfig.LINGER_MS_CONFIG, 0);
        properties.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, patienceMillis);
        properties.put(ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG, patienceMillis);
        properties.put(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, patienceMillis);
        KafkaProducer<byte[], byte[]> producer =
                new KafkaProducer<>(properties, new ByteArraySerializer(), new ByteArraySerializer());
        return new DuplicatesClient(duplicates, found.topic(), patienceMillis, producer);
    }

    /** Sets a value; completes when the first duplicate has applied it. */
    public CompletableFuture<WriteResult> put(String key, byte[] value) {
        return write(KeyWrite.put(key, value)).thenCompose(this::first);
    }

    /** Sets a value if the key does not exist. */
    public CompletableFuture<WriteResult> create(String key, byte[] value) {
        return write(KeyWrite.create(key, value)).thenCompose(this::first);
    }

    /** Deletes a key. */
    public CompletableFuture<WriteResult> delete(String key) {
        return write(KeyWrite.delete(key)).thenCompose(this::first);
    }

    /**
     * Sets a value on all duplicates; completes when every duplicate has applied it, and fails if one is out of
     * service.
     */
    public CompletableFuture<WriteResult> putOnAll(String key, byte[] value) {
        return write(KeyWrite.put(key, value)).thenCompose(this::all);
    }

    /** Returns the first answer of all duplicates; fails if none answers. */
    public CompletableFuture<ReadResult> read(String key) {
        String target = target(key);
        long least = seen.get();
        return noted(first(duplicates.stream()
                .map(at -> ask(at, target, least, ResultFormat::readResult))
                .toList()));
    }

    /**
     * Asks one duplicate, and another one only if the first fails or is late. A duplicate is late when it takes longer
     * than 95 % of the responses of the quickest other one. At most a share of {@value CopyBudget#DEFAULT_SHARE} of
     * these reads ask another one. So a read costs the work of one duplicate instead of all. If no copy succeeds, all
     * duplicates are asked.
     */
    public CompletableFuture<ReadResult> readFromOne(String key) {
        LateReads.Attempt attempt = new LateReads.Attempt(target(key), seen.get());
        loop.runOnContext(v -> late.begin(attempt));
        return noted(attempt.answer().exceptionallyCompose(failure -> read(key)));
    }

    private CompletableFuture<ReadResult> noted(CompletableFuture<ReadResult> answer) {
        return answer.thenApply(result -> {
            seen.accumulateAndGet(result.asOf(), Math::max);
            return result;
        });
    }

    /** Reads from one duplicate; the state is no older than this client has seen. */
    public CompletableFuture<ReadResult> readFrom(Address duplicate, String key) {
        return ask(duplicate, target(key), seen.get(), ResultFormat::readResult);
    }

    /** Number of differing results of writes. If two duplicates have different results, one of them is broken. */
    public long disagreements() {
        return disagreements.sum();
    }

    private static String target(String key) {
        return ResultFormat.VALUES + '?' + ResultFormat.KEY + '=' + URLEncoder.encode(key, StandardCharsets.UTF_8);
    }

    /** Appends the write to the log; completes with its ticket. */
    private CompletableFuture<Long> write(KeyWrite write) {
        CompletableFuture<Long> ticket = new CompletableFuture<>();
        try {
            var unused = log.send(write.record(topic), (metadata, failure) -> {
                if (failure == null) {
                    ticket.complete(metadata.offset());
                } else {
                    ticket.completeExceptionally(failure);
                }
            });
        } catch (KafkaException | IllegalStateException e) {
            ticket.completeExceptionally(e);
        }
        return ticket;
    }

    private List<CompletableFuture<WriteResult>> askAll(long ticket) {
        seen.accumulateAndGet(ticket, Math::max);
        String target = ResultFormat.WRITES + '?' + ResultFormat.TICKET + '=' + ticket;
        List<CompletableFuture<WriteResult>> asked = new ArrayList<>(duplicates.size());
        for (Address duplicate : duplicates) {
            asked.add(ask(duplicate, target, -1, (headers, body) -> ResultFormat.writeResult(ticket, headers, body)));
        }
        return asked;
    }

    private CompletableFuture<WriteResult> first(long ticket) {
        List<CompletableFuture<WriteResult>> asked = askAll(ticket);
        CompletableFuture<WriteResult> first = first(asked);
        compareAll(asked, first);
        return first;
    }

    private CompletableFuture<WriteResult> all(long ticket) {
        List<CompletableFuture<WriteResult>> asked = askAll(ticket);
        CompletableFuture<WriteResult> one = asked.get(0);
        compareAll(asked, one);
        return CompletableFuture.allOf(asked.toArray(new CompletableFuture<?>[0]))
                .thenCompose(v -> one);
    }

    private void compareAll(List<CompletableFuture<WriteResult>> asked, CompletableFuture<WriteResult> with) {
        for (CompletableFuture<WriteResult> answer : asked) {
            var unused = answer.thenAcceptBoth(with, this::compare);
        }
    }

    private void compare(WriteResult one, WriteResult other) {
        if (!one.agreesWith(other)) {
            disagreements.increment();
            LOG.error("duplicates of {} disagree on write {}", topic, one.ticket());
        }
    }

    /** Returns a future with the first success; if all fail, it fails with the last failure as the cause. */
    private static <T> CompletableFuture<T> first(List<CompletableFuture<T>> asked) {
        CompletableFuture<T> first = new CompletableFuture<>();
        AtomicInteger left = new AtomicInteger(asked.size());
        for (CompletableFuture<T> answer : asked) {
            var unused = answer.whenComplete((value, failure) -> {
                if (failure == null) {
                    first.complete(value);
                } else if (left.decrementAndGet() == 0) {
                    first.completeExceptionally(new NoDuplicateException("no duplicate answered", failure));
                }
            });
        }
        return first;
    }

    private <T> CompletableFuture<T> ask(
            Address duplicate, String target, long least, BiFunction<MultiMap, Buffer, T> reader) {
        RequestOptions request = new RequestOptions()
                .setMethod(HttpMethod.GET)
                .setHost(duplicate.host())
                .setPort(duplicate.port())
                .setURI(target)
                .setTimeout(patienceMillis);
        if (least >= 0) {
            request.putHeader(ResultFormat.AT_LEAST, Long.toString(least));
        }
        CompletableFuture<T> answered = new CompletableFuture<>();
        // Outside the event loop, the body could arrive before its handler is set.
        loop.runOnContext(v -> http.request(request)
                .compose(asked -> asked.send())
                .compose(answer -> answer.body()
                        .compose(body -> read(
                                duplicate, answer,
                                body, reader)))
                .onSuccess(answered::complete)
                .onFailure(answered::completeExceptionally));
        return answered;
    }

    private static <T> Future<T> read(
            Address duplicate, HttpClientResponse answer, Buffer body, BiFunction<MultiMap, Buffer, T> reader) {
        if (answer.statusCode() != 200 && answer.statusCode() != 404) {
            return Future.failedFuture(
                    new NoDuplicateException(duplicate + " " + body.toString().strip(), null));
        }
        return Future.succeededFuture(reader.apply(answer.headers(), body));
    }

    @Override
    public void close() {
        log.close(Duration.ofMillis(patienceMillis));
        var unused = vertx.close()
                .toCompletionStage()
                .toCompletableFuture()
                .completeOnTimeout(null, patienceMillis, TimeUnit.MILLISECONDS)
                .join();
    }
}
