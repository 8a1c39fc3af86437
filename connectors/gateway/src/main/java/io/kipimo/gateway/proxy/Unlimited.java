package io.kipimo.gateway.proxy;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.cfg.JsonNodeFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.kipimo.gateway.config.ReplayConfig;
import io.kipimo.gateway.grpc.GrpcCall;
import io.kipimo.gateway.grpc.GrpcMessages;
import io.kipimo.gateway.http.ContentCodings;
import io.kipimo.gateway.http.Parameters;
import io.vertx.core.MultiMap;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.StringJoiner;

/** Makes the request of a replay: an engine's query without its limits of work. */
final class Unlimited {
    /** Keeps all digits of numbers. */
    private static final ObjectMapper JSON = JsonMapper.builder()
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .disable(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES)
            .build();

    private Unlimited() {}

    /**
     * The request that is sent. Without an engine it is the query's own request.
     *
     * @throws IllegalArgumentException if the body has no known form
     */
    static ReplayRequest of(ReplayRequest query, Route route) {
        if (route.config().replay().isEmpty()) {
            return query;
        }
        ReplayConfig config = route.config().replay().get();
        String target = target(query.target(), config);
        if (query.body() == null) {
            return new ReplayRequest(query.query(), query.method(), target, query.headers(), null);
        }
        MultiMap headers = HttpHeaders.headers();
        headers.addAll(query.headers());
        if (route.config().grpc().isPresent()) {
            headers.remove(GrpcMessages.ENCODING).remove(GrpcCall.TIMEOUT);
            return new ReplayRequest(
                    query.query(), query.method(), target, headers, Buffer.buffer(call(query, config, route)));
        }
        byte[] plain = ContentCodings.undo(
                headers.getAll(ContentCodings.HEADER),
                query.body().getBytes(),
                route.gateway().record().bodyBytes());
        headers.remove(ContentCodings.HEADER);
        headers.remove(HttpHeaders.CONTENT_LENGTH);
        return new ReplayRequest(
                query.query(),
                query.method(),
                target,
                headers,
                Buffer.buffer(body(plain, headers.get(HttpHeaders.CONTENT_TYPE), config)));
    }

    private static byte[] call(ReplayRequest query, ReplayConfig config, Route route) {
        GrpcMessages messages = GrpcMessages.of(route.config().grpc().orElseThrow());
        byte[] json = messages.request(
                query.target(),
                query.headers().getAll(GrpcMessages.ENCODING),
                query.body().getBytes(),
                route.gateway().record().bodyBytes());
        return messages.framed(query.target(), body(json, null, config));
    }

    /** Path and query string of a replay, with some parameters removed and others set. */
    static String target(String target, ReplayConfig config) {
        int mark = target.indexOf('?');
        String path = mark < 0 ? target : target.substring(0, mark);
        StringJoiner query = new StringJoiner("&");
        String kept = without(mark < 0 ? "" : target.substring(mark + 1), config);
        if (!kept.isEmpty()) {
            query.add(kept);
        }
        config.setParameters().entrySet().stream()
                .sorted(Map.Entry.comparingByKey())
                .forEach(set -> query.add(coded(set.getKey()) + '=' + coded(set.getValue())));
        return query.length() == 0 ? path : path + '?' + query;
    }

    private static String coded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    private static String without(String parameters, ReplayConfig config) {
        return Parameters.without(
                parameters,
                name -> config.withoutParameters().contains(name)
                        || config.setParameters().containsKey(name));
    }

    /**
     * The body of a replay: a form with some parameters removed, or JSON with some fields removed and others set.
     *
     * @param type content type of the body; null: not stated
     */
    static byte[] body(byte[] body, String type, ReplayConfig config) {
        if (Parameters.isForm(type)) {
            String form = new String(body, StandardCharsets.UTF_8);
            return without(form, config).getBytes(StandardCharsets.UTF_8);
        }
        if (body.length == 0
                || (config.withoutFields().isEmpty() && config.setFields().isEmpty())) {
            return body;
        }
        try {
            JsonNode tree = JSON.readTree(body);
            if (!(tree instanceof ObjectNode fields)) {
                throw new IllegalArgumentException("the request's body is no JSON object");
            }
            config.withoutFields().forEach(field -> remove(fields, JsonPointer.compile(field)));
            config.setFields().forEach((field, value) -> set(fields, JsonPointer.compile(field), value));
            return JSON.writeValueAsBytes(fields);
        } catch (IOException e) {
            throw new IllegalArgumentException("the request's body is not JSON", e);
        }
    }

    private static void remove(ObjectNode fields, JsonPointer field) {
        if (fields.at(field.head()) instanceof ObjectNode parent) {
            parent.remove(field.last().getMatchingProperty());
        }
    }

    private static void set(ObjectNode fields, JsonPointer field, JsonNode value) {
        ObjectNode parent = fields;
        JsonPointer rest = field;
        while (!rest.tail().matches()) {
            String name = rest.getMatchingProperty();
            if (parent.has(name) && !parent.get(name).isObject()) {
                throw new IllegalArgumentException("the request's body has no object where '" + field + "' is set");
            }
            parent = parent.withObjectProperty(name);
            rest = rest.tail();
        }
        parent.set(rest.getMatchingProperty(), value);
    }
}
