package io.kipimo.console.server;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadFeature;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.WorkerExecutor;
import io.vertx.core.buffer.Buffer;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Judges releases on worker threads, so that the event loop is not blocked. Only the event loop may call its methods.
 */
final class GateRequests {
    /**
     * Limit of verdicts that are computed at a time. Further requests are refused instead of queued, because a verdict
     * reads topics.
     */
    private static final int MOST_AT_ONCE = 8;

    private static final JsonFactory JSON = JsonFactory.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .build();

    private final WorkerExecutor executor;
    private final Gates gates;
    private int running;

    GateRequests(Vertx vertx, Gates gates) {
        this.executor = vertx.createSharedWorkerExecutor("kipimo-console-gates", 2);
        this.gates = gates;
    }

    /** Judges a release. The future fails with {@link RequestRefusedException} if too many verdicts are under way. */
    Future<Gates.ReleaseVerdict> judge(Map<String, String> parameters) {
        if (running >= MOST_AT_ONCE) {
            return Future.failedFuture(
                    new RequestRefusedException(503, MOST_AT_ONCE + " verdicts are under way; ask again later"));
        }
        running++;
        return executor.executeBlocking(() -> gates.judge(parameters), false).onComplete(done -> running--);
    }

    /**
     * Parameters in the body of a Flagger webhook: the plain values of {@code metadata}. Other fields describe the
     * canary, and are ignored.
     *
     * @throws RequestRefusedException if the body is no such object
     */
    static Map<String, String> metadata(Buffer body) {
        Map<String, String> metadata = new LinkedHashMap<>();
        try (JsonParser parser = JSON.createParser(WriteRequests.text(body))) {
            if (parser.nextToken() != JsonToken.START_OBJECT) {
                throw refused(null);
            }
            while (parser.nextToken() == JsonToken.FIELD_NAME) {
                boolean isMetadata = parser.currentName().equals("metadata");
                JsonToken value = parser.nextToken();
                if (!isMetadata || value == JsonToken.VALUE_NULL) {
                    parser.skipChildren();
                } else if (value == JsonToken.START_OBJECT) {
                    plain(parser, metadata);
                } else {
                    throw refused(null);
                }
            }
            return metadata;
        } catch (IOException e) {
            throw refused(e);
        }
    }

    private static void plain(JsonParser parser, Map<String, String> values) throws IOException {
        while (parser.nextToken() == JsonToken.FIELD_NAME) {
            String name = parser.currentName();
            if (!parser.nextToken().isScalarValue()) {
                throw refused(null);
            }
            values.put(name, parser.getText());
        }
    }

    private static RequestRefusedException refused(IOException cause) {
        return new RequestRefusedException(
                400, "body is no webhook of Flagger; allowed: an object whose metadata has texts", cause);
    }
}
