package io.kipimo.gateway.proxy;

import io.kipimo.gateway.record.FrontQuery;
import io.vertx.core.MultiMap;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpMethod;
import java.util.Map;

/**
 * A query to replay.
 *
 * @param headers headers as sent to the front end
 * @param body null: none
 * @param bytes total size of target, headers and body
 */
public record ReplayRequest(
        FrontQuery query, HttpMethod method, String target, MultiMap headers, Buffer body, long bytes) {

    ReplayRequest(FrontQuery query, HttpMethod method, String target, MultiMap headers, Buffer body) {
        this(query, method, target, headers, body, bytes(target, headers, body));
    }

    private static long bytes(String target, MultiMap headers, Buffer body) {
        long bytes = target.length();
        bytes += body == null ? 0 : body.length();
        for (Map.Entry<String, String> header : headers) {
            bytes += header.getKey().length();
            bytes += header.getValue().length();
        }
        return bytes;
    }
}
