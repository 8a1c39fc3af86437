package io.kipimo.otlp;

import io.kipimo.http.BufferBudget;
import io.kipimo.http.Limits;
import io.kipimo.http.PageServer;
import io.kipimo.sdk.internal.control.Control;
import io.kipimo.sdk.internal.net.Address;
import io.opentelemetry.proto.collector.trace.v1.ExportTracePartialSuccess;
import io.opentelemetry.proto.collector.trace.v1.ExportTraceServiceResponse;
import io.opentelemetry.proto.trace.v1.Span;
import io.vertx.core.WorkerExecutor;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiFunction;
import java.util.function.LongSupplier;
import java.util.function.LongUnaryOperator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Receives traces by OTLP/HTTP at {@code /v1/traces} and emits the events of their queries.
 *
 * <p>It accepts a request as soon as the request's spans are in memory. A restart loses spans that it holds.
 */
public final class OtlpReceiver implements AutoCloseable {
    /** Greatest size of a body in bytes, both before and after decompression. */
    static final int LARGEST_BODY = 16 << 20;

    /** Greatest number of services. Each service has its own connections to Kafka. */
    static final int MOST_SERVICES = 16;

    private static final Logger LOG = LoggerFactory.getLogger(OtlpReceiver.class);
    private static final String PATH = "/v1/traces";

    /**
     * Time that exporters may take to send a batch. By default, OpenTelemetry's SDKs send their spans every five
     * seconds.
     */
    public static final long BATCH_MILLIS = 5_000;

    /**
     * Limits of requests. A client that sends its request byte by byte loses its own connection, and does not block
     * others.
     */
    private static final Limits LIMITS =
            new Limits(1_000, 0, 1L << 20, Duration.ofSeconds(60), Duration.ofSeconds(15), Duration.ofSeconds(60));

    private static final long MOST_BODY_BYTES = 8L * LARGEST_BODY;
    private static final int TICK_MILLIS = 200;

    /** Number of bodies that are parsed at once, which bounds the memory for their objects. */
    private static final int WORKERS = 2;

    /**
     * Greatest tolerated lead of a span's clock. A clock that is further ahead would make the jobs close windows too
     * early.
     */
    private static final long MOST_AHEAD_MILLIS = 60_000;

    private static final long NANOS_PER_MILLI = 1_000_000;

    /** Greatest length of a span. Readers refuse longer latencies. */
    private static final long LONGEST_NANOS = TimeUnit.DAYS.toNanos(10);

    private static final int ID_BYTES = 8;
    private static final int INVALID_ARGUMENT = 3;

    private final SpanRules rules;
    private final BiFunction<String, LongUnaryOperator, Control> controls;
    private final LongSupplier clock;
    private final PageServer server = new PageServer(LIMITS);
    private final WorkerExecutor workers = server.vertx().createSharedWorkerExecutor("kipimo-otlp", WORKERS);
    private final OtlpCounts counts = new OtlpCounts();
    private final BufferBudget bodies = new BufferBudget(MOST_BODY_BYTES);
    private final AtomicBoolean deciding = new AtomicBoolean();

    /** The traces that are not decided yet. Guarded by the object itself. */
    private final HeldTraces held;

    /** Earliest time of the traces that are being emitted, epoch milliseconds. Guarded by {@link #held}. */
    private long emittingFromMillis = Long.MAX_VALUE;

    /** Emitters by name of the service. Used by one thread at a time. */
    private final Map<String, QueryEvents> services = new HashMap<>();

    private long timer;
    private boolean hasWarned;
    private boolean hasFailed;

    private record OtlpReply(int status, byte[] body) {}

    private OtlpReceiver(SpanRules rules, BiFunction<String, LongUnaryOperator, Control> controls, LongSupplier clock) {
        this.rules = rules;
        this.controls = controls;
        this.clock = clock;
        held = new HeldTraces(rules.holdMillis(), rules.traces(), rules.bytes());
    }

    /**
     * Starts a receiver. It serves when this method returns.
     *
     * @param listen address to listen on; port 0: any free port
     * @param controls connects to a service by its name; the given function maps the current time to the time up to
     *     which all queries are emitted, both epoch milliseconds; the receiver closes the controls when it is closed
     * @param clock current time, epoch milliseconds
     * @throws IOException if the port cannot be bound
     */
    public static OtlpReceiver start(
            Address listen,
            SpanRules rules,
            BiFunction<String, LongUnaryOperator, Control> controls,
            LongSupplier clock)
            throws IOException, InterruptedException {
        OtlpReceiver receiver = new OtlpReceiver(rules, controls, clock);
        // The service that the rules name reports that it is there before its first span.
        rules.service().ifPresent(receiver::service);
        try {
            receiver.server.listen(listen.host(), listen.port(), receiver::serve, receiver::refuseHead);
        } catch (IOException e) {
            receiver.close();
            throw e;
        }
        receiver.decideRegularly();
        return receiver;
    }

    private void decideRegularly() {
        timer = server.vertx().setPeriodic(TICK_MILLIS, t -> {
            if (deciding.compareAndSet(false, true)) {
                workers.executeBlocking(() -> {
                            decide(clock.getAsLong());
                            return null;
                        })
                        .onComplete(done -> {
                            deciding.set(false);
                            if (done.failed()) {
                                LOG.error("traces cannot be decided", done.cause());
                            }
                        });
            }
        });
    }

    private void refuseHead(HttpServerRequest request) {
        refuse(request, PageServer.refusal(request.decoderResult().cause()), "the head of the request cannot be read");
    }

    private void serve(HttpServerRequest request) {
        if (!request.path().equals(PATH)) {
            refuse(request, 404, "the path is not " + PATH);
        } else if (!request.method().equals(HttpMethod.POST)) {
            request.response().putHeader("allow", "POST");
            refuse(request, 405, "the method is not POST");
        } else {
            Optional<OtlpBody> format = OtlpBody.of(request.getHeader("content-type"));
            String coding = request.getHeader("content-encoding");
            boolean isZipped = "gzip".equalsIgnoreCase(coding);
            if (format.isEmpty()) {
                refuse(request, 415, "the content type is not application/x-protobuf or application/json");
            } else if (coding != null && !isZipped && !"identity".equalsIgnoreCase(coding)) {
                refuse(request, 415, "the content encoding is not gzip");
            } else {
                receive(request, format.get(), isZipped);
            }
        }
    }

    /** Refuses a request and closes its connection, because the rest of the body is not read. */
    private void refuse(HttpServerRequest request, int status, String why) {
        counts.refuseBody();
        HttpServerResponse response = request.response();
        if (!response.ended() && !response.closed()) {
            var unused = response.setStatusCode(status)
                    .putHeader("connection", "close")
                    .putHeader("content-type", "text/plain")
                    .end(why + '\n')
                    .onComplete(sent -> request.connection().close());
        }
    }

    private void receive(HttpServerRequest request, OtlpBody format, boolean isZipped) {
        Buffer body = Buffer.buffer();
        AtomicBoolean isOver = new AtomicBoolean();
        Runnable giveBack = () -> {
            if (isOver.compareAndSet(false, true)) {
                bodies.giveBack(body.length());
            }
        };
        request.exceptionHandler(e -> giveBack.run());
        request.handler(piece -> {
            if (isOver.get()) {
                return;
            }
            if (body.length() + piece.length() > LARGEST_BODY) {
                giveBack.run();
                refuse(request, 413, "the body is larger than " + LARGEST_BODY + " bytes");
            } else if (bodies.take(piece.length())) {
                body.appendBuffer(piece);
            } else {
                giveBack.run();
                request.response().putHeader("retry-after", "1");
                refuse(request, 503, "too many requests at once");
            }
        });
        request.endHandler(end -> {
            if (!isOver.get()) {
                var unused = workers.executeBlocking(() -> export(format, isZipped, body.getBytes()), false)
                        .onComplete(reply -> {
                            giveBack.run();
                            answer(request, format, reply.result());
                        });
            }
        });
    }

    private void answer(HttpServerRequest request, OtlpBody format, OtlpReply reply) {
        HttpServerResponse response = request.response();
        if (response.closed()) {
            return;
        }
        if (reply == null) {
            refuse(request, 500, "the spans cannot be kept");
            return;
        }
        if (reply.status() != 200) {
            counts.refuseBody();
        }
        var unused = response.setStatusCode(reply.status())
                .putHeader("content-type", format.contentType())
                .end(Buffer.buffer(reply.body()));
    }

    private OtlpReply export(OtlpBody format, boolean isZipped, byte[] body) throws IOException {
        TakenSpans taken = new TakenSpans(clock.getAsLong());
        try {
            Optional<byte[]> plain = isZipped ? OtlpBody.unzipped(body, LARGEST_BODY) : Optional.of(body);
            if (plain.isEmpty()) {
                return new OtlpReply(
                        413, format.status(INVALID_ARGUMENT, "the body is larger than " + LARGEST_BODY + " bytes"));
            }
            format.read(plain.get(), taken);
        } catch (OtlpBody.TooManyPartsException e) {
            return new OtlpReply(413, format.status(INVALID_ARGUMENT, e.getMessage()));
        } catch (IOException e) {
            return new OtlpReply(400, format.status(INVALID_ARGUMENT, "the body cannot be read: " + e.getMessage()));
        }
        ExportTraceServiceResponse.Builder response = ExportTraceServiceResponse.newBuilder();
        if (taken.problems > 0) {
            response.setPartialSuccess(ExportTracePartialSuccess.newBuilder()
                    .setRejectedSpans(taken.problems)
                    .setErrorMessage(taken.firstProblem));
        }
        return new OtlpReply(200, format.write(response.build()));
    }

    /** Holds the spans of one request, and counts the rejected spans. */
    private final class TakenSpans implements OtlpBody.BodyContents {
        private final long now;
        private long problems;
        private String firstProblem = "";

        TakenSpans(long now) {
            this.now = now;
        }

        @Override
        public void span(ReceivedSpan span) {
            Optional<String> problem = problem(span.span(), now);
            if (problem.isPresent()) {
                unreadable(problem.get());
                return;
            }
            counts.count(OtlpCounts.Spans.RECEIVED, 1);
            HeldTraces.Taken taken;
            synchronized (held) {
                taken = held.add(span, now);
            }
            switch (taken) {
                case HELD -> {}
                case AGAIN -> counts.count(OtlpCounts.Spans.AGAIN, 1);
                case LATE -> counts.count(OtlpCounts.Spans.LATE, 1);
            }
        }

        @Override
        public void unreadable(String problem) {
            counts.count(OtlpCounts.Spans.RECEIVED, 1);
            counts.count(OtlpCounts.Spans.REJECTED, 1);
            firstProblem = problems++ == 0 ? problem : firstProblem;
        }
    }

    private static Optional<String> problem(Span span, long nowMillis) {
        if (span.getTraceId().size() != 2 * ID_BYTES
                || span.getSpanId().size() != ID_BYTES
                || (!span.getParentSpanId().isEmpty() && span.getParentSpanId().size() != ID_BYTES)) {
            return Optional.of("a span has a trace id not of 16 bytes, or a span id not of 8");
        }
        if (ReceivedSpan.isZero(span.getTraceId()) || ReceivedSpan.isZero(span.getSpanId())) {
            return Optional.of("a span has an id of zeros");
        }
        long start = span.getStartTimeUnixNano();
        long end = span.getEndTimeUnixNano();
        if (start < NANOS_PER_MILLI || end < start) {
            return Optional.of("a span has no start, or ends before it");
        }
        if (end / NANOS_PER_MILLI > nowMillis + MOST_AHEAD_MILLIS) {
            return Optional.of("a span ends more than a minute in the future");
        }
        if (end - start > LONGEST_NANOS) {
            return Optional.of("a span is longer than ten days");
        }
        return Optional.empty();
    }

    private void decide(long nowMillis) {
        List<HeldTraces.Trace> due;
        synchronized (held) {
            due = held.due(nowMillis);
            emittingFromMillis =
                    due.stream().mapToLong(HeldTraces.Trace::oldestMillis).min().orElse(Long.MAX_VALUE);
        }
        synchronized (services) {
            for (HeldTraces.Trace trace : due) {
                try {
                    emit(trace);
                } catch (RuntimeException e) {
                    counts.count(OtlpCounts.Traces.FAILED);
                    if (!hasFailed) {
                        hasFailed = true;
                        LOG.error("trace {} cannot be measured", trace.id(), e);
                    }
                }
            }
        }
        synchronized (held) {
            emittingFromMillis = Long.MAX_VALUE;
        }
    }

    /** Time up to which all queries are emitted, epoch milliseconds. */
    private long emittedUpToMillis(long nowMillis) {
        synchronized (held) {
            return Math.min(held.completeUpToMillis(nowMillis), emittingFromMillis);
        }
    }

    private void emit(HeldTraces.Trace trace) {
        List<ObservedQuery> queries = TraceEvents.of(rules, trace.id(), trace.spans());
        boolean isMeasured = false;
        for (ObservedQuery query : queries) {
            Optional<QueryEvents> service = service(query.answer().service());
            if (service.isPresent()) {
                service.get().emit(query);
                counts.query(query);
                isMeasured = true;
            }
        }
        counts.count(
                queries.isEmpty()
                        ? OtlpCounts.Traces.WITHOUT_FRONT
                        : isMeasured ? OtlpCounts.Traces.MEASURED : OtlpCounts.Traces.OTHER_SERVICE);
    }

    private Optional<QueryEvents> service(String name) {
        QueryEvents known = services.get(name);
        if (known != null) {
            return Optional.of(known);
        }
        if (!rules.services().isEmpty() && !rules.services().contains(name)) {
            return Optional.empty();
        }
        if (services.size() >= MOST_SERVICES) {
            if (!hasWarned) {
                hasWarned = true;
                LOG.warn(
                        "service {} is not measured: there are {} others; name those to measure under 'services'",
                        name,
                        MOST_SERVICES);
            }
            return Optional.empty();
        }
        QueryEvents events = new QueryEvents(controls.apply(name, this::emittedUpToMillis));
        services.put(name, events);
        return Optional.of(events);
    }

    OtlpCounts counts() {
        return counts;
    }

    int heldTraces() {
        synchronized (held) {
            return held.size();
        }
    }

    long heldBytes() {
        synchronized (held) {
            return held.bytes();
        }
    }

    long evictedTraces() {
        synchronized (held) {
            return held.evicted();
        }
    }

    public int port() {
        return server.port();
    }

    /** Stops receiving, emits the held traces, and closes the controls. */
    @Override
    public void close() {
        server.vertx().cancelTimer(timer);
        server.close();
        decide(Long.MAX_VALUE);
        synchronized (services) {
            services.values().forEach(QueryEvents::close);
        }
    }
}
