package io.kipimo.console.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import org.junit.jupiter.api.Test;

class ConsoleServerTest {
    @Test
    void servesThePageAndWhatItShows() throws Exception {
        try (ConsoleServer server =
                ConsoleServer.start(
                        "127.0.0.1",
                        0,
                        new SampleContent(3, System::currentTimeMillis),
                        PageFiles.packaged())) {
            assertThat(get(server, "/").body()).contains("<title>Kipimo");
            assertThat(get(server, "/api/state").body()).contains("\"history\"");
            assertThat(get(server, "/api/services/nobody").statusCode()).isEqualTo(404);
        }
    }

    private static HttpResponse<String> get(ConsoleServer server, String path) throws Exception {
        return HttpClient.newHttpClient()
                .send(
                        HttpRequest.newBuilder(
                                        URI.create("http://127.0.0.1:" + server.port() + path))
                                .build(),
                        HttpResponse.BodyHandlers.ofString());
    }
}
