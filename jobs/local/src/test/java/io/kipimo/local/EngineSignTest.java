package io.kipimo.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.BasicAuthenticator;
import com.sun.net.httpserver.HttpContext;
import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import io.kipimo.sdk.internal.net.Address;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import org.junit.jupiter.api.Test;

/** Pages as the engines' documentation has them; those of OpenSearch and Solr are also read from running ones. */
class EngineSignTest {
    private static final char[] PASSWORD = "password".toCharArray();

    /** Of each preset: path, and what it answers there. */
    private static final Map<String, Map.Entry<String, String>> PAGES = new LinkedHashMap<>();

    static {
        PAGES.put("opensearch", Map.entry("/", """
                {"name": "n", "cluster_name": "c", "version": {"distribution": "opensearch", "number": "2.19.3"},
                 "tagline": "The OpenSearch Project: https://opensearch.org/"}"""));
        PAGES.put("elasticsearch", Map.entry("/", """
                {"name": "n", "version": {"number": "8.19.4", "build_flavor": "default"},
                 "tagline": "You Know, for Search"}"""));
        PAGES.put("qdrant", Map.entry("/", """
                {"title": "qdrant - vector search engine", "version": "1.15.1", "commit": "1234"}"""));
        PAGES.put("solr", Map.entry("/solr/admin/info/system", """
                {"responseHeader": {"status": 0}, "mode": "solrcloud", "lucene": {"solr-spec-version": "9.10.1"}}"""));
        PAGES.put("weaviate", Map.entry("/v1/meta", """
                {"hostname": "http://[::]:8080", "modules": {}, "version": "1.32.0"}"""));
        PAGES.put("typesense", Map.entry("/health", "{\"ok\": true}"));
        PAGES.put("meilisearch", Map.entry("/health", "{\"status\": \"available\"}"));
        PAGES.put("vespa", Map.entry("/state/v1/health", """
                {"time": 1, "status": {"code": "up"}, "metrics": {}}"""));
        PAGES.put("milvus", Map.entry("/v2/vectordb/collections/list", "{\"code\": 0, \"data\": []}"));
    }

    private static final EngineTrust OF_THE_JVM = new EngineTrust(false, Optional.empty());

    private static Address serve(HttpServer server) {
        server.start();
        return new Address("127.0.0.1", server.getAddress().getPort());
    }

    private static HttpServer server(int status, Map.Entry<String, String> page) throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        var unused = answer(server, status, page);
        return server;
    }

    private static HttpContext answer(HttpServer server, int status, Map.Entry<String, String> page) {
        return server.createContext("/", exchange -> {
            boolean isIt = exchange.getRequestURI().getPath().equals(page.getKey());
            byte[] body = (isIt ? page.getValue() : "{\"error\": \"no such page\"}").getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(isIt ? status : 404, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
    }

    private static Optional<String> preset(Address address, String expected) throws Exception {
        return EngineSign.at(new LocalEngine(expected, address), OF_THE_JVM).preset();
    }

    @Test
    void everyPresetOfAnEngineThatSpeaksHttpIsToldFromTheOthers() throws Exception {
        assertThat(LocalEngine.presets())
                .filteredOn(preset -> !preset.equals("redis"))
                .containsExactlyInAnyOrderElementsOf(PAGES.keySet());
        for (Map.Entry<String, Map.Entry<String, String>> engine : PAGES.entrySet()) {
            HttpServer server = server(200, engine.getValue());
            Address address = serve(server);
            for (String expected : new String[] {engine.getKey(), "solr", "redis"}) {
                assertThat(preset(address, expected))
                        .as("expected %s", expected)
                        .hasValue(engine.getKey());
            }
            server.stop(0);
        }
    }

    @Test
    void whatDoesNotSayWhatItIsIsUnknown() throws Exception {
        HttpServer server = server(401, Map.entry("/", "Unauthorized"));
        assertThat(preset(serve(server), "opensearch")).isEmpty();
        server.stop(0);
    }

    @Test
    void whereNobodyListensIsNoEngine() throws Exception {
        int port;
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = socket.getLocalPort();
        }
        assertThatThrownBy(() -> preset(new Address("127.0.0.1", port), "solr")).isInstanceOf(IOException.class);
    }

    @Test
    void anEngineWithTlsAndAPasswordIsAskedWithBoth() throws Exception {
        Path directory =
                Path.of(EngineSignTest.class.getResource("engine.p12").toURI()).getParent();
        KeyStore store = KeyStore.getInstance(directory.resolve("engine.p12").toFile(), PASSWORD);
        KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        keys.init(store, PASSWORD);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(keys.getKeyManagers(), null, null);
        HttpsServer server = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setHttpsConfigurator(new HttpsConfigurator(context));
        answer(server, 200, PAGES.get("opensearch")).setAuthenticator(new BasicAuthenticator("engine") {
            @Override
            public boolean checkCredentials(String user, String password) {
                return user.equals("admin") && password.equals("p@ss:+");
            }
        });
        Address address = serve(server);
        LocalEngine known = LocalEngine.parse("opensearch=https://admin:p%40ss:+@" + address);
        LocalEngine unknown = LocalEngine.parse("opensearch=https://" + address);

        EngineTrust authority = new EngineTrust(false, Optional.of(directory.resolve("engine.pem")));
        assertThat(EngineSign.at(known, authority).preset()).hasValue("opensearch");
        assertThat(EngineSign.at(known, new EngineTrust(true, Optional.empty())).preset())
                .hasValue("opensearch");
        assertThat(EngineSign.at(unknown, authority)).isEqualTo(new EngineSign.Found(Optional.empty(), true));
        assertThatThrownBy(() -> EngineSign.at(known, OF_THE_JVM)).isInstanceOf(SSLException.class);
        assertThatThrownBy(() -> preset(address, "opensearch")).isInstanceOf(IOException.class);
        server.stop(0);
    }
}
