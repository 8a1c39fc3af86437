package io.kipimo.local;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.kipimo.sdk.internal.http.BoundedExchange;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.channels.UnresolvedAddressException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import javax.net.ssl.SSLException;

/**
 * A page by which a search engine can be recognised without a collection. There is none for Redis, which does not speak
 * HTTP.
 *
 * @param preset name of the gateway's preset for the engine
 * @param isPost true: the page is asked by POST, with an empty JSON object; false: by GET
 * @param pointer JSON pointer to a value that the page has
 * @param value pattern that must match the whole value
 */
record EngineSign(String preset, boolean isPost, String path, String pointer, Pattern value) {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Duration PATIENCE = Duration.ofSeconds(3);
    private static final int MOST_BYTES = 1 << 20;

    static final List<EngineSign> ALL = List.of(
            get("opensearch", "/", "/version/distribution", "opensearch"),
            get("elasticsearch", "/", "/tagline", "You Know, for Search"),
            get("qdrant", "/", "/title", "qdrant.*"),
            get("solr", "/solr/admin/info/system?wt=json", "/lucene/solr-spec-version", ".*"),
            get("weaviate", "/v1/meta", "/modules", ".*"),
            get("typesense", "/health", "/ok", "true|false"),
            get("meilisearch", "/health", "/status", "available"),
            get("vespa", "/state/v1/health", "/status/code", "up|down|initializing"),
            new EngineSign("milvus", true, "/v2/vectordb/collections/list", "/code", Pattern.compile("\\d+")));

    private static EngineSign get(String preset, String path, String pointer, String value) {
        return new EngineSign(preset, false, path, pointer, Pattern.compile(value));
    }

    /**
     * The result of asking an engine what it is.
     *
     * @param preset preset of the engine; empty: it is none of the known engines, or does not say
     * @param isRefused true if the engine wants other credentials than it got
     */
    record Found(Optional<String> preset, boolean isRefused) {}

    /**
     * Asks an engine what it is. Begins with the page of the expected preset.
     *
     * @throws IOException if nobody answers
     */
    static Found at(LocalEngine engine, EngineTrust trust) throws IOException, InterruptedException {
        BoundedExchange http = new BoundedExchange(
                HttpClient.newBuilder()
                        .version(HttpClient.Version.HTTP_1_1)
                        .connectTimeout(PATIENCE)
                        .sslContext(engine.isTls() ? trust.context() : EngineTrust.none())
                        .build(),
                PATIENCE,
                MOST_BYTES);
        List<EngineSign> signs = new ArrayList<>(ALL);
        signs.sort(Comparator.comparing(sign -> !sign.preset.equals(engine.preset())));
        IOException failure = null;
        boolean isAnswered = false;
        boolean isRefused = false;
        for (EngineSign sign : signs) {
            try {
                HttpResponse<String> page = sign.page(http, engine);
                if (sign.isShownBy(page.body())) {
                    return new Found(Optional.of(sign.preset), false);
                }
                isAnswered = true;
                isRefused |= page.statusCode() == 401 || page.statusCode() == 403;
            } catch (IOException e) {
                failure = e;
                if (isNobodyThere(e) || e instanceof SSLException) {
                    break;
                }
            }
        }
        if (!isAnswered && failure != null) {
            throw failure;
        }
        return new Found(Optional.empty(), isRefused);
    }

    private static boolean isNobodyThere(IOException failure) {
        return failure instanceof ConnectException || isUnknownHost(failure);
    }

    static boolean isUnknownHost(IOException failure) {
        return failure.getCause() instanceof UnresolvedAddressException;
    }

    private HttpResponse<String> page(BoundedExchange http, LocalEngine engine)
            throws IOException, InterruptedException {
        String scheme = engine.isTls() ? "https://" : "http://";
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(scheme + engine.address() + path));
        engine.authorization().ifPresent(value -> request.header("authorization", value));
        if (isPost) {
            request.header("content-type", "application/json").POST(BodyPublishers.ofString("{}"));
        }
        return http.send(request.build(), BodyHandlers.ofString());
    }

    /** @param page body of the engine's response */
    boolean isShownBy(String page) {
        try {
            JsonNode found = JSON.readTree(page).at(pointer);
            return !found.isMissingNode() && value.matcher(found.asText()).matches();
        } catch (JsonProcessingException e) {
            return false;
        }
    }
}
