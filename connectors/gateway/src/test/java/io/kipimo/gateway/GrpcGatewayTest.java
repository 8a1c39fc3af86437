package io.kipimo.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.google.protobuf.CodedOutputStream;
import io.grpc.CallOptions;
import io.grpc.ClientInterceptors;
import io.grpc.HandlerRegistry;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.MethodType;
import io.grpc.Server;
import io.grpc.ServerCallHandler;
import io.grpc.ServerMethodDefinition;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.shaded.io.grpc.netty.GrpcSslContexts;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.MetadataUtils;
import io.grpc.stub.ServerCalls;
import io.grpc.stub.StreamObserver;
import io.kipimo.gateway.config.ConfigFile;
import io.kipimo.gateway.config.GatewayConfig;
import io.kipimo.gateway.grpc.GrpcMessages;
import io.kipimo.gateway.record.ItemReaders;
import io.kipimo.schemas.quality.Answer;
import io.kipimo.schemas.quality.AnswerKind;
import io.kipimo.schemas.quality.Invocation;
import io.kipimo.schemas.quality.Outcome;
import io.kipimo.schemas.quality.Unmeasurable;
import io.kipimo.sdk.CompletenessClient;
import io.kipimo.sdk.internal.control.SettableControl;
import io.vertx.core.http.HttpServerOptions;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;
import org.junit.jupiter.params.provider.CsvSource;

/** gRPC through the gateway, with a real server and a real client: what is measured, and what passes as it is. */
class GrpcGatewayTest {
    private static final String QUERY = "/qdrant.Points/Query";
    private static final String SEARCH = "/weaviate.v1.Weaviate/Search";

    private final SettableControl control = new SettableControl();
    private final List<String> asked = new CopyOnWriteArrayList<>();
    private final AtomicInteger cancelled = new AtomicInteger();
    private final List<AutoCloseable> started = new ArrayList<>();

    /** What the server answers; null: nothing. */
    private volatile byte[] answer = {};

    private volatile Status status = Status.OK;
    private Gateway gateway;
    private Server server;

    @AfterEach
    void stop() throws Exception {
        for (AutoCloseable one : started) {
            one.close();
        }
        gateway.close();
        if (server != null) {
            server.shutdownNow();
        }
    }

    /** Messages are bytes. */
    private static final class Bytes implements MethodDescriptor.Marshaller<byte[]> {
        @Override
        public InputStream stream(byte[] value) {
            return new ByteArrayInputStream(value);
        }

        @Override
        public byte[] parse(InputStream stream) {
            try {
                return stream.readAllBytes();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    private static MethodDescriptor<byte[], byte[]> method(String path, MethodType type) {
        return MethodDescriptor.newBuilder(new Bytes(), new Bytes())
                .setFullMethodName(path.substring(1))
                .setType(type)
                .build();
    }

    private final class AllMethods extends HandlerRegistry {
        @Override
        public ServerMethodDefinition<?, ?> lookupMethod(String name, String authority) {
            boolean isStream = name.endsWith("Stream");
            ServerCallHandler<byte[], byte[]> handler = isStream
                    ? ServerCalls.asyncBidiStreamingCall(GrpcGatewayTest::echo)
                    : ServerCalls.asyncUnaryCall((request, to) -> answer("/" + name, request, to));
            return ServerMethodDefinition.create(
                    method("/" + name, isStream ? MethodType.BIDI_STREAMING : MethodType.UNARY), handler);
        }
    }

    private void answer(String path, byte[] request, StreamObserver<byte[]> to) {
        asked.add(path + " " + json(path, request));
        if (answer == null) {
            ((io.grpc.stub.ServerCallStreamObserver<byte[]>) to).setOnCancelHandler(cancelled::incrementAndGet);
        } else if (status.isOk()) {
            to.onNext(answer);
            to.onCompleted();
        } else {
            to.onError(status.asRuntimeException());
        }
    }

    private static StreamObserver<byte[]> echo(StreamObserver<byte[]> to) {
        return new StreamObserver<>() {
            @Override
            public void onNext(byte[] value) {
                to.onNext(value);
            }

            @Override
            public void onError(Throwable t) {
                to.onError(t);
            }

            @Override
            public void onCompleted() {
                to.onCompleted();
            }
        };
    }

    private static String json(String path, byte[] message) {
        try {
            return new String(
                    messages(path).request(path, List.of(), framed(message), 1 << 20), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            return "unknown";
        }
    }

    private static GrpcMessages messages(String path) {
        return GrpcMessages.of(path.startsWith("/q") ? "qdrant" : path.startsWith("/w") ? "weaviate" : "milvus");
    }

    private static byte[] framed(byte[] message) {
        byte[] framed = new byte[5 + message.length];
        System.arraycopy(message, 0, framed, 5, message.length);
        for (int i = 0; i < 4; i++) {
            framed[1 + i] = (byte) (message.length >>> (24 - 8 * i));
        }
        return framed;
    }

    private static byte[] request(String path, String json) {
        byte[] framed = messages(path).framed(path, json.replace('\'', '"').getBytes(StandardCharsets.UTF_8));
        return Arrays.copyOfRange(framed, 5, framed.length);
    }

    private interface Fields {
        void to(CodedOutputStream out) throws IOException;
    }

    private static byte[] message(Fields fields) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try {
            CodedOutputStream out = CodedOutputStream.newInstance(bytes);
            fields.to(out);
            out.flush();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes.toByteArray();
    }

    /** qdrant.QueryResponse. */
    private static byte[] points(long... ids) {
        return message(out -> {
            for (long id : ids) {
                out.writeByteArray(1, message(point -> {
                    point.writeByteArray(1, message(one -> one.writeUInt64(1, id)));
                    point.writeFloat(3, 1f / id);
                }));
            }
            out.writeDouble(2, 0.001);
        });
    }

    /** weaviate.v1.SearchReply. */
    private static byte[] objects(String... ids) {
        return message(out -> {
            out.writeFloat(1, 0.5f);
            for (String id : ids) {
                out.writeByteArray(
                        2, message(object -> object.writeByteArray(2, message(one -> one.writeString(1, id)))));
            }
        });
    }

    private void startServer() throws Exception {
        server = NettyServerBuilder.forAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                .fallbackHandlerRegistry(new AllMethods())
                .build()
                .start();
    }

    private void start(String engine, String keys) throws Exception {
        if (server == null) {
            startServer();
        }
        start(engine, server.getPort(), keys);
    }

    private void start(String engine, int port, String keys) throws Exception {
        GatewayConfig config = ConfigFile.read("""
            service: shop
            threads: 1
            admin: 127.0.0.1:0
            record: {largest-body: 2k, expiration: 60s}
            listeners:
              - name: front
                role: front
                engine: %s
                tell: true
                listen: '127.0.0.1:0'
                servers: ['127.0.0.1:%d']
            %s
            """.formatted(engine, port, keys.indent(4)), null, "gw");
        gateway = Gateway.start(config, control, ItemReaders.of(config));
        control.samplingRate = 1;
    }

    private int port() {
        return gateway.ports().get("front");
    }

    private ManagedChannel channel() {
        return opened(NettyChannelBuilder.forAddress("127.0.0.1", port())
                .usePlaintext()
                .build());
    }

    private ManagedChannel opened(ManagedChannel channel) {
        started.add(() -> channel.shutdownNow().awaitTermination(5, TimeUnit.SECONDS));
        return channel;
    }

    private byte[] call(String path, byte[] request) {
        return ClientCalls.blockingUnaryCall(channel(), method(path, MethodType.UNARY), CallOptions.DEFAULT, request);
    }

    private Answer online() {
        await("an answer").until(() -> !control.answers.isEmpty());
        return control.answers.get(0);
    }

    private Outcome outcome(String component) {
        return online().invocations().stream()
                .filter(i -> i.component().equals(component))
                .map(Invocation::outcome)
                .findFirst()
                .orElseThrow();
    }

    private double fault(String name) {
        return Metrics.of(gateway, "kipimo_gateway_faults_total{fault=\"" + name + "\",listener=\"front\"}");
    }

    @Test
    void aQueryIsRunAgainWithoutItsApproximation() throws Exception {
        answer = points(1, 2);
        start("qdrant-grpc", "replay: {budget: 1}");
        byte[] came = call(QUERY, request(QUERY, "{'collection_name':'c','limit':2,'params':{'indexed_only':true}}"));

        assertThat(came).isEqualTo(answer);
        assertThat(outcome("qdrant-grpc")).isEqualTo(Outcome.IN_TIME);
        assertThat(outcome("exact")).isEqualTo(Outcome.TIMED_OUT);
        await("the mature answer").until(() -> control.answers.size() == 2);
        assertThat(control.answers.get(1).kind()).isEqualTo(AnswerKind.REPLAYED);
        assertThat(control.answers.get(1).items().texts()).containsExactly("1", "2");
        assertThat(asked.get(0)).contains("\"indexed_only\":true");
        assertThat(asked.get(1)).contains("\"params\":{\"exact\":true}").contains("\"limit\":\"2\"");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{'collection':'C','bm25_search':{'query':'x'}} | whole |",
                "{'collection':'C','near_vector':{'vector':[1]}} | unknown | UNREADABLE",
            })
    void whatAnAnswerShowsIsDecidedByItsRequest(String request, String told, Unmeasurable reason) throws Exception {
        answer = objects("a", "b");
        start("weaviate-grpc", "replay: {budget: 0}");
        AtomicReference<Metadata> head = new AtomicReference<>();
        var unused = ClientCalls.blockingUnaryCall(
                ClientInterceptors.intercept(
                        channel(), MetadataUtils.newCaptureMetadataInterceptor(head, new AtomicReference<>())),
                method(SEARCH, MethodType.UNARY),
                CallOptions.DEFAULT,
                request(SEARCH, request));

        assertThat(online().unmeasurable()).isEqualTo(Optional.ofNullable(reason));
        if (reason == null) {
            assertThat(online().items().texts()).containsExactly("a", "b");
            assertThat(head.get().get(Metadata.Key.of(CompletenessClient.HEADER, Metadata.ASCII_STRING_MARSHALLER)))
                    .isEqualTo(told);
        }
    }

    @ParameterizedTest(name = "{0}: {1}")
    @CsvFileSource(resources = "/grpc-messages.csv", delimiter = '|', emptyValue = "", maxCharsPerColumn = 10_000)
    void whatOfficialClientsAndServersSayIsRead(
            String engine, String name, String path, String request, String came, String shown) throws Exception {
        answer = Base64.getDecoder().decode(came);
        // Approximate answers are read if they are run again, which those of Qdrant always are.
        start(engine, "replay: {budget: 0" + (engine.startsWith("milvus") ? ", of-clean: 1}" : "}"));
        call(path, Base64.getDecoder().decode(request));

        String items = String.join(" ", online().items().texts());
        assertThat(online().unmeasurable().map(Unmeasurable::name).orElse(items))
                .isEqualTo(shown == null ? "" : shown);
    }

    @ParameterizedTest
    @CsvSource({"0, IN_TIME", "1100, FAILED"})
    void milvusSaysInItsAnswerWhetherItFailed(int code, Outcome outcome) throws Exception {
        answer = message(out -> {
            out.writeByteArray(1, message(one -> one.writeInt32(3, code)));
            out.writeByteArray(2, message(results -> {
                results.writeInt64(1, 1);
                results.writeByteArray(
                        5,
                        message(ids -> ids.writeByteArray(1, message(longs -> {
                            longs.writeInt64(1, 7);
                            longs.writeInt64(1, 9);
                        }))));
            }));
        });
        String path = "/milvus.proto.milvus.MilvusService/Search";
        start("milvus-grpc", "replay: {budget: 0, of-clean: 1}");
        call(path, request(path, "{'collection_name':'c','nq':'1'}"));

        assertThat(outcome("milvus-grpc")).isEqualTo(outcome);
        assertThat(online().items().texts()).containsExactly("7", "9");
    }

    @ParameterizedTest
    @CsvSource({"NOT_FOUND", "UNAVAILABLE", "DEADLINE_EXCEEDED"})
    void anErrorComesAsItIsAndIsNoAnswer(Status.Code code) throws Exception {
        status = Status.fromCode(code).withDescription("no such thing");
        start("qdrant-grpc", "replay: {budget: 0}");

        assertThatThrownBy(() -> call(QUERY, request(QUERY, "{}")))
                .isInstanceOfSatisfying(StatusRuntimeException.class, e -> {
                    assertThat(e.getStatus().getCode()).isEqualTo(code);
                    assertThat(e.getStatus().getDescription()).isEqualTo("no such thing");
                });
        assertThat(online().unmeasurable()).contains(Unmeasurable.FAILED_ANSWER);
    }

    @Test
    void whatTakesLongerThanItsCallerWaitsIsGivenUp() throws Exception {
        answer = null;
        start("qdrant-grpc", "replay: {budget: 0}\narbitration: {retries: 0}");

        long millis = 300;
        do {
            long waited = millis;
            assertThatThrownBy(() -> ClientCalls.blockingUnaryCall(
                            channel(),
                            method(QUERY, MethodType.UNARY),
                            CallOptions.DEFAULT.withDeadlineAfter(waited, TimeUnit.MILLISECONDS),
                            request(QUERY, "{}")))
                    .hasMessageContaining("DEADLINE_EXCEEDED");
            millis *= 2;
            // A busy gateway has no connection to the server yet: then there is nobody to tell.
        } while (asked.isEmpty());
        await("the server is told").until(() -> cancelled.get() == asked.size());
        assertThat(online().unmeasurable()).contains(Unmeasurable.FAILED_ANSWER);
    }

    @Test
    void aStreamInBothDirectionsPassesMessageByMessage() throws Exception {
        start("qdrant-grpc", "replay: {budget: 0}");
        BlockingQueue<String> came = new LinkedBlockingQueue<>();
        StreamObserver<byte[]> to = ClientCalls.asyncBidiStreamingCall(
                channel().newCall(method("/any.Thing/Stream", MethodType.BIDI_STREAMING), CallOptions.DEFAULT),
                new StreamObserver<byte[]>() {
                    @Override
                    public void onNext(byte[] value) {
                        came.add(new String(value, StandardCharsets.UTF_8));
                    }

                    @Override
                    public void onError(Throwable t) {
                        came.add(t.toString());
                    }

                    @Override
                    public void onCompleted() {
                        came.add("end");
                    }
                });
        for (String word : List.of("one", "two")) {
            to.onNext(word.getBytes(StandardCharsets.UTF_8));
            assertThat(came.poll(20, TimeUnit.SECONDS)).isEqualTo(word);
        }
        to.onCompleted();

        assertThat(came.poll(20, TimeUnit.SECONDS)).isEqualTo("end");
        assertThat(Metrics.of(gateway, "kipimo_gateway_passed_total{listener=\"front\"}"))
                .isEqualTo(1);
        assertThat(control.answered).isEmpty();
    }

    @Test
    void packedMessagesAreRead() throws Exception {
        answer = points(1);
        start("qdrant-grpc", "replay: {budget: 1}");
        var unused = ClientCalls.blockingUnaryCall(
                channel(),
                method(QUERY, MethodType.UNARY),
                CallOptions.DEFAULT.withCompression("gzip"),
                request(QUERY, "{'collection_name':'" + "c".repeat(500) + "'}"));

        assertThat(online().unmeasurable()).isEmpty();
        await("the mature answer").until(() -> control.answers.size() == 2);
        assertThat(asked.get(1)).contains("\"exact\":true");
    }

    @Test
    void aMessageWithAFieldThatIsNotKnownPassesUnmeasured() throws Exception {
        answer = points(1);
        start("qdrant-grpc", "replay: {budget: 0}");

        assertThat(call(QUERY, message(out -> out.writeString(999, "new")))).isEqualTo(answer);
        assertThat(online().unmeasurable()).contains(Unmeasurable.UNREADABLE);
        assertThat(Metrics.of(gateway, "kipimo_gateway_responses_unreadable_total{listener=\"front\",reason=\"form\"}"))
                .isEqualTo(1);
    }

    @Test
    void messagesAboveTheLimitPassUnmeasured() throws Exception {
        answer = points(1);
        start("qdrant-grpc", "replay: {budget: 0}");
        String large = "c".repeat(20_000);

        assertThat(call(QUERY, request(QUERY, "{'collection_name':'" + large + "'}")))
                .isEqualTo(answer);
        assertThat(asked.get(0)).contains(large);
        assertThat(control.answers).isEmpty();
        assertThat(Metrics.of(gateway, "kipimo_gateway_passed_total{listener=\"front\"}"))
                .isEqualTo(1);
        answer = objects(large);
        assertThat(call(QUERY, request(QUERY, "{}"))).isEqualTo(answer);
        assertThat(online().unmeasurable()).contains(Unmeasurable.UNREADABLE);
    }

    @Test
    void http1IsNotSpokenWhereTheListenerHasNoTls() throws Exception {
        start("qdrant-grpc", "");
        int status = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .build()
                .send(
                        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port() + QUERY))
                                .build(),
                        BodyHandlers.ofString())
                .statusCode();

        assertThat(status).isEqualTo(505);
        assertThat(fault("caller-not-http2")).isEqualTo(1);
        assertThat(asked).isEmpty();
    }

    @Test
    void aServerOfHttp1IsUnavailable() throws Exception {
        Upstream http1 =
                Upstream.start(new HttpServerOptions().setHttp2ClearTextEnabled(false), request -> request.response()
                        .end("x"));
        started.add(http1);
        start("qdrant-grpc", http1.port(), "replay: {budget: 0}\narbitration: {retries: 0}");

        assertThatThrownBy(() -> call(QUERY, request(QUERY, "{}"))).hasMessageContaining("UNAVAILABLE");
        assertThat(online().unmeasurable()).contains(Unmeasurable.FAILED_ANSWER);
    }

    @Test
    void withTlsHttp2IsChosenByAlpn(@TempDir Path directory) throws Exception {
        answer = objects("a");
        TestCertificate own = TestCertificate.of(directory, "own", "ip:127.0.0.1");
        start("weaviate-grpc", "replay: {budget: 0}\ntls: {certificates: [" + own.files() + "]}");
        ManagedChannel channel = opened(NettyChannelBuilder.forAddress("127.0.0.1", port())
                .sslContext(GrpcSslContexts.forClient()
                        .trustManager(own.certificate().toFile())
                        .build())
                .build());
        byte[] came = ClientCalls.blockingUnaryCall(
                channel,
                method(SEARCH, MethodType.UNARY),
                CallOptions.DEFAULT,
                request(SEARCH, "{'bm25_search':{'query':'x'}}"));

        assertThat(came).isEqualTo(answer);
        assertThat(online().unmeasurable()).isEmpty();
    }
}
