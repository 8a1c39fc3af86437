package io.kipimo.local;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import io.kipimo.cli.Main;
import io.kipimo.cli.policy.PolicyDocument;
import io.kipimo.gateway.config.ConfigFile;
import io.kipimo.gateway.config.GatewayConfig;
import io.kipimo.gateway.config.ListenerConfig;
import io.kipimo.schemas.policy.Policy;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** What is refused before anything starts, and the files for an engine. */
class LocalCommandTest {
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int run(String... args) {
        List<String> all = new ArrayList<>(List.of("local", "--broker-port=0", "--port=0"));
        all.addAll(Arrays.asList(args));
        CommandLine command = Main.commandLine(new LocalCommands())
                .setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(err, true));
        return command.execute(all.toArray(String[]::new));
    }

    @Test
    void anUnknownPresetIsRefusedWithTheKnownOnes() {
        assertThat(run("--engine=lucene=127.0.0.1:9200")).isEqualTo(2);
        assertThat(err.toString().lines())
                .singleElement()
                .asString()
                .contains("--engine is 'lucene=127.0.0.1:9200'; allowed: PRESET=HOST:PORT", "opensearch", "solr")
                .doesNotContain("json");
    }

    @Test
    void anAddressWithoutPortIsRefused() {
        assertThat(run("--engine=solr=127.0.0.1")).isEqualTo(2);
        assertThat(err.toString()).contains("allowed: solr=HOST:PORT");
    }

    @Test
    void noPasswordIsShown() {
        assertThat(run("--engine=solr=https://admin:s3cr:et@x@127.0.0.1")).isEqualTo(2);
        assertThat(err.toString())
                .contains("allowed: solr=HOST:PORT or solr=https://USER")
                .doesNotContain("s3cr");
        assertThat(LocalEngine.parse("solr=https://admin:s3cret@h:1")).hasToString("solr=https://h:1");
    }

    @Test
    void anEngineThatIsNotThereIsRefused() throws IOException {
        int port;
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = socket.getLocalPort();
        }
        assertThat(run("--gateway-port=0", "--engine=solr=127.0.0.1:" + port)).isEqualTo(2);
        assertThat(err.toString()).contains("--engine is 'solr=127.0.0.1:" + port + "', and no engine answers there");
        // No label of a name has 64 characters.
        assertThat(run("--gateway-port=0", "--engine=solr=" + "x".repeat(64) + ".invalid:8983"))
                .isEqualTo(2);
        assertThat(err.toString()).contains("(no address of this host is known)");
    }

    @Test
    void anotherEngineThanThePresetsIsNamed() throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            byte[] body = "{\"version\": {\"distribution\": \"opensearch\"}}".getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        server.start();
        String address = "127.0.0.1:" + server.getAddress().getPort();

        assertThat(run("--gateway-port=0", "--engine=solr=" + address)).isEqualTo(2);

        server.stop(0);
        assertThat(err.toString()).contains("looks like opensearch; allowed: opensearch=" + address);
    }

    @Test
    void anOccupiedPortOfTheGatewayIsRefused() throws IOException {
        try (ServerSocket other = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            assertThat(run("--engine=solr=127.0.0.1:1", "--gateway-port=" + other.getLocalPort()))
                    .isEqualTo(2);
            assertThat(err.toString()).contains("--gateway-port is " + other.getLocalPort() + ", which is in use");
        }
    }

    @Test
    void printWritesFilesThatTheirReadersTake(@TempDir Path directory) throws IOException {
        int exit = run(
                "--service=shop search",
                "--class=page",
                "--engine=opensearch=127.0.0.1:9200",
                "--engine=opensearch=[::1]:9201",
                "--engine=qdrant=https://u:p@vectors:6333",
                "--insecure",
                "--print=" + directory);

        assertThat(exit).as("%s", err).isZero();
        Policy policy =
                PolicyDocument.read(directory.resolve("policy.yaml").toString()).policy();
        assertThat(policy.service()).isEqualTo("shop search");
        assertThat(policy.topK()).isEqualTo(10);
        assertThat(policy.sampling().fixedRate()).isEqualTo(1);
        assertThat(policy.admission().shadow()).isTrue();
        assertThat(policy.classes()).singleElement().satisfies(c -> assertThat(c.name())
                .isEqualTo("page"));
        GatewayConfig gateway = ConfigFile.read(Files.readString(directory.resolve("gateway.yaml")), null, "local");
        assertThat(gateway.service()).isEqualTo("shop search");
        assertThat(gateway.samplingRate()).isEqualTo(1);
        assertThat(gateway.classes()).containsOnlyKeys("page");
        assertThat(gateway.listeners())
                .extracting(ListenerConfig::name)
                .containsExactly("opensearch", "opensearch-2", "qdrant");
        assertThat(gateway.listeners()).extracting(l -> l.listen().port()).containsExactly(8090, 8091, 8092);
        assertThat(gateway.listeners().get(2).serverTls())
                .hasValueSatisfying(tls -> assertThat(tls.verify()).isFalse());
        assertThat(gateway.listeners().get(0).serverTls()).isEmpty();
        assertThat(out.toString()).contains("kipimo local --policy ", "kipimo gateway --config ");

        assertThat(run("--engine=solr=127.0.0.1:1", "--print=" + directory))
                .as("edited files are kept")
                .isEqualTo(2);
    }
}
