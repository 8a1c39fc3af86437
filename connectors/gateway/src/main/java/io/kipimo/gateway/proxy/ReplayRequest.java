package io.kipimo.gateway.proxy;

import io.kipimo.gateway.record.FrontQuery;
import io.vertx.core.MultiMap;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpMethod;
import java.util.Map;

/**
 * A query as it came, to be run once more.
 *
 * @param headers as they went to the front end
 * @param body null: none
 */
public record ReplayRequest(
        FrontQuery query, HttpMethod method, String target, MultiMap headers, Buffer body) {

    /** About how much is kept of it. */
    public long bytes() {
        long bytes = target.length();
        bytes += body == null ? 0 : body.length();
        for (Map.Entry<String, String> header : headers) {
            bytes += header.getKey().length();
            bytes += header.getValue().length();
        }
        return bytes;
    }
}
