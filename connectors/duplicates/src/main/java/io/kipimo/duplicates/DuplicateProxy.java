package io.kipimo.duplicates;

import io.kipimo.http.Limits;
import io.kipimo.http.PageServer;
import io.kipimo.http.Reply;
import io.kipimo.redis.RedisSettings;
import io.kipimo.sdk.internal.exposition.Exposition;
import io.kipimo.sdk.internal.kafka.TopicLoop;
import io.kipimo.sdk.internal.net.Address;
import io.kipimo.sdk.kafka.BrokerUnavailableException;
import io.kipimo.sdk.kafka.KafkaSettings;
import io.vertx.core.Future;
import io.vertx.core.WorkerExecutor;
import io.vertx.core.http.HttpServerRequest;
import java.io.IOException;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.StreamSupport;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import redis.clients.jedis.exceptions.JedisException;

/**
 * Proxy of the Redis of one duplicate. It applies the writes of the log in the order of their tickets, and answers
 * reads and queries for the results of writes (Zoolander, sec. 5). The duplicate goes out of service after a gap, or
 * when its Redis has lost writes, fails or is too slow. While it is out of service, it answers no request. It serves
 * again once it has caught up with the log.
 *
 * <p>The paper removes such a duplicate for good. Here the log is kept, so the duplicate can return.
 */
public final class DuplicateProxy implements AutoCloseable {

    /**
     * Settings of a duplicate.
     *
     * @param topic topic of the writes; see {@link OrderedLog}
     * @param redis Redis that only this duplicate uses; no other process may write there, and it must not evict keys
     * @param listen listening address; port 0: any free port
     * @param patienceMillis milliseconds after which Redis counts as failed if it does not answer, 1..60000
     */
    public record Duplicating(
            KafkaSettings kafka, String topic, RedisSettings redis, Address listen, int patienceMillis) {
        public static final int PATIENCE_MILLIS = 1_000;

        public Duplicating {
            if (patienceMillis < 1 || patienceMillis > 60_000) {
                throw new IllegalArgumentException("patience is " + patienceMillis + " ms; allowed: 1..60000");
            }
        }
    }

    private static final Logger LOG = LoggerFactory.getLogger(DuplicateProxy.class);
    private static final int MOST_WRITES = 100;
    private static final int READERS = 8;
    private static final int PATIENCE_SECONDS = 10;

    /**
     * Limits of the server. A connection waits longer for a request (120 s) than clients keep an idle connection (60
     * s), so that no request meets a closed one.
     */
    private static final Limits LIMITS =
            new Limits(10_000, 0, 64L << 20, Duration.ofSeconds(120), Duration.ofSeconds(15), Duration.ofSeconds(60));

    private final Duplicating settings;
    private final OrderedLog log;
    private final DuplicateStore store;
    private final AppliedPosition progress = new AppliedPosition();
    private final RecentResults results = new RecentResults();
    private final PageServer server = new PageServer(LIMITS);
    private final WorkerExecutor readers;
    private final TopicLoop follower;
    private final LongAdder reads = new LongAdder();
    private final Map<DuplicateStanding, LongAdder> outs = new EnumMap<>(DuplicateStanding.class);

    /** Problem that a reader found; the follower takes the duplicate out because of it. */
    private volatile DuplicateStanding suspicion;

    private DuplicateProxy(Duplicating settings, OrderedLog log) {
        this.settings = settings;
        this.log = log;
        store = new DuplicateStore(settings.redis(), log.id(), settings.patienceMillis());
        readers = server.vertx().createSharedWorkerExecutor("kipimo-duplicate", READERS);
        for (DuplicateStanding standing : DuplicateStanding.values()) {
            outs.put(standing, new LongAdder());
        }
        follower = new TopicLoop(
                "kipimo-duplicate",
                this::consumer,
                this::follow,
                this::goOut,
                2 * TopicLoop.POLL.toMillis() + settings.patienceMillis());
    }

    /**
     * Starts a proxy. It listens when this method returns, and serves as soon as it has caught up.
     *
     * @throws IllegalArgumentException if the topic cannot be an ordered log, or a secret cannot be read
     * @throws BrokerUnavailableException if Kafka does not answer, or the topic does not exist
     * @throws IOException if it cannot listen at the port
     */
    public static DuplicateProxy start(Duplicating settings) throws IOException, InterruptedException {
        OrderedLog log = OrderedLog.find(settings.kafka(), settings.topic());
        DuplicateProxy proxy = new DuplicateProxy(settings, log);
        try {
            proxy.listen();
            return proxy;
        } catch (IOException e) {
            proxy.close();
            throw e;
        }
    }

    private void listen() throws IOException, InterruptedException {
        server.handler(ResultFormat.VALUES, this::read)
                .handler(ResultFormat.WRITES, this::respondWithWrites)
                .handler("/readyz", request -> {
                    DuplicateStanding now = standing();
                    request.response()
                            .setStatusCode(now == DuplicateStanding.SERVING ? 200 : 503)
                            .end(now.inWords() + '\n');
                })
                .page("/metrics", request -> Reply.of(Exposition.CONTENT_TYPE, metrics()))
                .listen(settings.listen().host(), settings.listen().port());
        follower.start();
    }

    public int port() {
        return server.port();
    }

    /** State of the duplicate: whether it answers, and if not, why. */
    public DuplicateStanding standing() {
        return progress.standing();
    }

    /** Ticket of the last write applied; -1: none. */
    public long ticket() {
        return progress.ticket();
    }

    /**
     * Takes the duplicate out of service after a failure: a duplicate that does not follow the log must not appear to
     * serve.
     */
    private void goOut(Exception e) {
        if (e instanceof NotServingException out) {
            goOut(out.standing());
        } else {
            boolean isLog = e instanceof KafkaException || e instanceof BrokerUnavailableException;
            goOut(isLog ? DuplicateStanding.LOG_AWAY : DuplicateStanding.STORE_AWAY);
        }
    }

    private void goOut(DuplicateStanding why) {
        if (progress.standing() != why) {
            LOG.warn("{} is out: it {}", settings.listen(), why.inWords());
        }
        if (progress.standing() == DuplicateStanding.SERVING) {
            outs.get(why).increment();
        }
        progress.stand(why);
        results.clear();
        suspicion = null;
    }

    private Consumer<byte[], byte[]> consumer() {
        Map<String, Object> properties = settings.kafka().forReader();
        // Missing records must raise an error, not be skipped.
        properties.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "none");
        properties.put(ConsumerConfig.MAX_POLL_RECORDS_CONFIG, MOST_WRITES);
        return new KafkaConsumer<>(properties, new ByteArrayDeserializer(), new ByteArrayDeserializer());
    }

    /** Follows the log; returns when closed. */
    private void follow(Consumer<byte[], byte[]> consumer, TopicLoop running) throws NotServingException {
        // A recreated topic has the same name but other tickets.
        if (!OrderedLog.find(settings.kafka(), settings.topic()).equals(log)) {
            throw new NotServingException(DuplicateStanding.OTHER_LOG);
        }
        List<TopicPartition> partition = List.of(log.partition());
        long next = store.lastTicket() + 1;
        long begin = consumer.beginningOffsets(partition).get(log.partition());
        long end = consumer.endOffsets(partition).get(log.partition());
        if (next < begin) {
            throw new NotServingException(DuplicateStanding.LOG_TOO_SHORT);
        }
        if (next > end) {
            throw new NotServingException(DuplicateStanding.OTHER_LOG);
        }
        consumer.assign(partition);
        consumer.seek(log.partition(), next);
        progress.advance(next - 1);
        while (!running.isClosed(0)) {
            if (progress.standing() != DuplicateStanding.SERVING) {
                progress.stand(next >= end ? DuplicateStanding.SERVING : DuplicateStanding.CATCHING_UP);
            }
            var polled = consumer.poll(TopicLoop.POLL);
            if (suspicion != null) {
                throw new NotServingException(suspicion);
            }
            if (polled.isEmpty()) {
                requireUntouched(next);
            } else {
                next = apply(
                        next, StreamSupport.stream(polled.spliterator(), false).toList());
            }
        }
    }

    private void requireUntouched(long next) throws NotServingException {
        if (store.lastTicket() != next - 1) {
            throw new NotServingException(DuplicateStanding.OLDER_STORE);
        }
    }

    /** Applies records; returns the next ticket. */
    private long apply(long next, List<ConsumerRecord<byte[], byte[]>> entries) throws NotServingException {
        for (int i = 0; i < entries.size(); i++) {
            if (entries.get(i).offset() != next + i) {
                throw new NotServingException(DuplicateStanding.GAP);
            }
        }
        store.apply(next, entries.stream().map(KeyWrite::of).toList()).forEach(results::add);
        progress.advance(next + entries.size() - 1);
        return next + entries.size();
    }

    private void read(HttpServerRequest request) {
        String key = request.getParam(ResultFormat.KEY);
        Optional<Long> least = count(request.getHeader(ResultFormat.AT_LEAST), -1L);
        if (key == null || key.isEmpty() || key.length() > KeyWrite.MOST_KEY || least.isEmpty()) {
            refuse(request, 400, "the key is missing or too long, or the ticket is invalid");
            return;
        }
        reached(least.get())
                .compose(v -> {
                    long applied = progress.ticket();
                    return readers.executeBlocking(() -> read(key, applied), false);
                })
                .onSuccess(result -> {
                    reads.increment();
                    ResultFormat.send(request.response(), result);
                })
                .onFailure(e -> refuse(request, e));
    }

    private ReadResult read(String key, long applied) throws NotServingException {
        try {
            ReadResult result = store.read(key);
            if (result.asOf() < applied) {
                throw new NotServingException(suspect(DuplicateStanding.OLDER_STORE));
            }
            return result;
        } catch (JedisException e) {
            throw new NotServingException(suspect(DuplicateStanding.STORE_AWAY));
        }
    }

    /**
     * Notes a problem. The follower takes the duplicate out of service because of it, but later, since it may be
     * waiting for the log.
     */
    private DuplicateStanding suspect(DuplicateStanding why) {
        suspicion = why;
        return why;
    }

    private Future<Void> reached(long ticket) {
        return Future.fromCompletionStage(
                progress.reached(ticket).orTimeout(PATIENCE_SECONDS, TimeUnit.SECONDS),
                server.vertx().getOrCreateContext());
    }

    private void respondWithWrites(HttpServerRequest request) {
        Optional<Long> ticket = count(request.getParam(ResultFormat.TICKET), null);
        if (ticket.isEmpty()) {
            refuse(request, 400, "the ticket is missing or invalid");
            return;
        }
        reached(ticket.get())
                .onSuccess(v -> results.of(ticket.get())
                        .ifPresentOrElse(
                                result -> ResultFormat.send(request.response(), result),
                                () -> refuse(request, 410, "the result is gone")))
                .onFailure(e -> refuse(request, e));
    }

    /** Parses a number of up to 18 digits, or -1; {@code orElse} if the text is null; empty if it is invalid. */
    private static Optional<Long> count(String text, Long orElse) {
        if (text == null) {
            return Optional.ofNullable(orElse);
        }
        return text.matches("-1|\\d{1,18}") ? Optional.of(Long.valueOf(text)) : Optional.empty();
    }

    private static void refuse(HttpServerRequest request, Throwable why) {
        refuse(request, 503, why instanceof NotServingException ? why.getMessage() : "not applied in time");
    }

    private static void refuse(HttpServerRequest request, int status, String why) {
        if (!request.response().ended() && !request.response().closed()) {
            request.response().setStatusCode(status).end(why + '\n');
        }
    }

    /** The page at {@code /metrics}. */
    public String metrics() {
        Exposition page = new Exposition()
                .gauge(
                        "kipimo_duplicate_serving",
                        "1: the duplicate answers; 0: it is out.",
                        standing() == DuplicateStanding.SERVING ? 1 : 0)
                .gauge("kipimo_duplicate_ticket", "Ticket of the last write applied; -1: none.", (double) ticket())
                .counter("kipimo_duplicate_reads_total", "Reads answered.", reads.sum());
        outs.forEach((why, count) -> {
            if (why != DuplicateStanding.SERVING && why != DuplicateStanding.CATCHING_UP) {
                page.counter(
                        "kipimo_duplicate_outs_total",
                        "How often the duplicate went out.",
                        count.sum(),
                        "reason",
                        why.label());
            }
        });
        return page.toString();
    }

    @Override
    public void close() {
        follower.close();
        server.close();
        store.close();
    }
}
