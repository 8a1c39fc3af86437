package io.kipimo.gateway.proxy;

import io.kipimo.gateway.http.ForwardedHeaders;
import io.kipimo.gateway.record.RecordedResponse;
import io.vertx.core.MultiMap;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpHeaders;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The body of a response, kept while it arrives. */
final class KeptBody {
    private final KeptBytes room;
    private final Buffer bytes = Buffer.buffer();

    KeptBody(KeptBytes room) {
        this.room = room;
    }

    /** Adds a piece; false: there is no room. */
    boolean add(Buffer piece) {
        if (!room.take(bytes.length(), piece.length())) {
            return false;
        }
        bytes.appendBuffer(piece);
        return true;
    }

    /** Adds a piece without a reservation. The body must be passed on at once. */
    void addBeyondRoom(Buffer piece) {
        bytes.appendBuffer(piece);
    }

    Buffer bytes() {
        return bytes;
    }

    /** The response with this body as its whole body. */
    RecordedResponse of(HttpClientResponse response) {
        MultiMap headers = HttpHeaders.headers();
        ForwardedHeaders.copy(response.headers(), headers);
        List<Map.Entry<String, String>> list = new ArrayList<>(headers.entries().size());
        headers.forEach(header -> list.add(Map.entry(header.getKey(), header.getValue())));
        return new RecordedResponse(response.statusCode(), list, bytes.getBytes());
    }
}
