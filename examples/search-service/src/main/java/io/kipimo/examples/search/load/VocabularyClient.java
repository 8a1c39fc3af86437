package io.kipimo.examples.search.load;

import io.kipimo.examples.search.index.Vocabulary;
import io.kipimo.sdk.internal.http.BoundedExchange;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;

/** Fetches the vocabulary of a running search service. */
public final class VocabularyClient {
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private VocabularyClient() {}

    public static Vocabulary fetch(int vocabularyPort) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + vocabularyPort))
                // An upgrade to HTTP/2 sometimes breaks a response of this size.
                .version(HttpClient.Version.HTTP_1_1)
                .build();
        HttpResponse<String> response =
                BoundedExchange.ofPages(PATIENCE).send(request, HttpResponse.BodyHandlers.ofString());
        if (response.statusCode() != 200) {
            throw new IOException("the vocabulary's port answers " + response.statusCode());
        }
        return Vocabulary.ofLines(response.body());
    }
}
