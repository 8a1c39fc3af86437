package io.kipimo.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.kipimo.gateway.config.ConfigFile;
import io.kipimo.gateway.config.GatewayConfig;
import io.kipimo.gateway.record.ItemReaders;
import io.kipimo.schemas.document.InvalidDocumentException;
import io.kipimo.sdk.internal.control.SettableControl;
import io.vertx.core.http.ClientAuth;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.net.PemKeyCertOptions;
import io.vertx.core.net.PemTrustOptions;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * TLS towards callers and servers, with certificates that keytool makes. Tests that wait until files are read again run
 * beside the others.
 */
class TlsTest extends StartedParts {
    @TempDir
    static Path directory;

    private static TestCertificate first;
    private static TestCertificate second;

    private GatewayUnderTest gateway;

    @BeforeAll
    static void makeCertificates() throws Exception {
        first = TestCertificate.of(directory, "first", "dns:first.test,ip:127.0.0.1");
        second = TestCertificate.of(directory, "second", "dns:second.test");
    }

    private void start(int server, String... more) throws Exception {
        gateway = GatewayUnderTest.start(server, "64m", more);
        started.add(0, gateway);
    }

    private Upstream upstream(HttpServerOptions options) {
        Upstream server = Upstream.start(options, request -> request.response().end(request.scheme()));
        started.add(server);
        return server;
    }

    private static HttpServerOptions secured(TestCertificate certificate) {
        return new HttpServerOptions()
                .setSsl(true)
                .setKeyCertOptions(new PemKeyCertOptions()
                        .addCertPath(certificate.certificate().toString())
                        .addKeyPath(certificate.key().toString()));
    }

    /** What a caller with TLS sees. */
    private record Seen(String certificate, String answer) {}

    private Seen get(SSLContext context, String host) throws IOException {
        return get(gateway.port(), context, host);
    }

    private static Seen get(int port, SSLContext context, String host) throws IOException {
        try (SSLSocket socket =
                (SSLSocket) context.getSocketFactory().createSocket(InetAddress.getLoopbackAddress(), port)) {
            socket.setSoTimeout(30_000);
            SSLParameters parameters = socket.getSSLParameters();
            parameters.setServerNames(List.of(new SNIHostName(host)));
            socket.setSSLParameters(parameters);
            socket.startHandshake();
            String name = ((X509Certificate) socket.getSession().getPeerCertificates()[0])
                    .getSubjectX500Principal()
                    .getName();
            socket.getOutputStream()
                    .write("GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"
                            .getBytes(StandardCharsets.US_ASCII));
            return new Seen(
                    name,
                    GatewayUnderTest.answer(
                            new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1)));
        }
    }

    private static String tls(TestCertificate... certificates) {
        List<String> files = new ArrayList<>();
        for (TestCertificate one : certificates) {
            files.add(one.files());
        }
        return "tls: {certificates: [" + String.join(", ", files) + "]}";
    }

    @Test
    void aCallerGetsTheCertificateOfTheHostThatItNames() throws Exception {
        start(upstream(new HttpServerOptions()).port(), tls(first, second));

        assertThat(get(TestCertificate.context(first.store()), "first.test"))
                .isEqualTo(new Seen("CN=first", "200 http"));
        assertThat(get(TestCertificate.context(second.store()), "second.test"))
                .isEqualTo(new Seen("CN=second", "200 http"));
        assertThat(get(TestCertificate.context(first.store()), "other.test").certificate())
                .isEqualTo("CN=first");
    }

    @Test
    void whereCallersNeedACertificateNoneIsServedWithout() throws Exception {
        start(
                upstream(new HttpServerOptions()).port(),
                "tls: {certificates: [%s], client-authorities: '%s'}".formatted(first.files(), second.certificate()));

        assertThat(get(second.trusting(first.store()), "first.test").answer()).isEqualTo("200 http");
        assertThatThrownBy(() -> get(TestCertificate.context(first.store()), "first.test"))
                .isInstanceOf(IOException.class);
        assertThatThrownBy(() -> get(first.trusting(first.store()), "first.test"))
                .isInstanceOf(IOException.class);
        await().until(() -> gateway.fault("caller-handshake") == 2);
        assertThat(gateway.count("requests")).isEqualTo(1);
    }

    @Test
    @Execution(ExecutionMode.CONCURRENT)
    void changedFilesAreUsedWithoutARestartAndBadOnesAreNot() throws Exception {
        TestCertificate changing = first.copy(Files.createDirectory(directory.resolve("changing")));
        Upstream server = upstream(new HttpServerOptions());
        start(server.port(), tls(changing));
        assertThat(get(TestCertificate.context(first.store()), "first.test").certificate())
                .isEqualTo("CN=first");

        second.replace(changing);
        await("the new certificate").atMost(Duration.ofMinutes(1)).until(() -> reloads("ok") == 1);
        await().ignoreExceptionsInstanceOf(SSLException.class)
                .untilAsserted(() -> assertThat(get(TestCertificate.context(second.store()), "first.test"))
                        .isEqualTo(new Seen("CN=second", "200 http")));

        Files.writeString(changing.certificate(), "no certificate");
        await("refused").atMost(Duration.ofMinutes(1)).until(() -> reloads("failed") == 1);
        assertThat(get(TestCertificate.context(second.store()), "first.test").certificate())
                .isEqualTo("CN=second");
    }

    private double reloads(String result) {
        return gateway.metric("kipimo_gateway_certificate_reloads_total{listener=\"web\",result=\"" + result + "\"}");
    }

    private void startTo(Upstream server, String... more) throws Exception {
        List<String> lines = new ArrayList<>(List.of(more));
        lines.add("arbitration: {retries: 0}");
        gateway = GatewayUnderTest.start("https://127.0.0.1:" + server.port(), "64m", lines.toArray(String[]::new));
        started.add(0, gateway);
    }

    @Test
    void aServerIsAskedIfItsCertificateIsTrustedAndHasItsName() throws Exception {
        startTo(upstream(secured(first)), "server-tls: {authorities: '%s'}".formatted(first.certificate()));
        assertThat(gateway.get("/")).isEqualTo("200 https");
    }

    @Test
    void aServerThatIsNotTrustedIsNotAsked() throws Exception {
        Upstream server = upstream(secured(first));
        startTo(server);
        assertThat(gateway.get("/")).startsWith("502");
        assertThat(gateway.fault("server-handshake")).isEqualTo(1);
        assertThat(server.requests).hasValue(0);
    }

    @Test
    @Execution(ExecutionMode.CONCURRENT)
    void changedAuthoritiesOfServersAreUsedWithoutARestart() throws Exception {
        Path authorities = Files.copy(second.certificate(), directory.resolve("authorities.pem"));
        startTo(upstream(secured(first)), "server-tls: {authorities: '" + authorities + "'}");
        assertThat(gateway.get("/")).startsWith("502");

        Files.copy(first.certificate(), authorities, StandardCopyOption.REPLACE_EXISTING);
        await("the server is trusted").atMost(Duration.ofMinutes(1)).until(() -> gateway.get("/")
                .equals("200 https"));
    }

    @Test
    void aServerWithTheNameOfAnotherIsNotAskedUnlessItIsTheOneThatIsSet() throws Exception {
        Upstream server = upstream(secured(second));
        String authorities = "server-tls: {authorities: '" + second.certificate() + "'";
        startTo(server, authorities + "}");
        assertThat(gateway.get("/")).startsWith("502");
        assertThat(gateway.fault("server-handshake")).isEqualTo(1);

        startTo(server, authorities + ", name: second.test}");
        assertThat(gateway.get("/")).isEqualTo("200 https");
        startTo(server, "server-tls: {verify: false}");
        assertThat(gateway.get("/")).isEqualTo("200 https");
    }

    @Test
    void aServerMayAskForTheGatewaysCertificate() throws Exception {
        Upstream server = upstream(secured(first)
                .setClientAuth(ClientAuth.REQUIRED)
                .setTrustOptions(
                        new PemTrustOptions().addCertPath(second.certificate().toString())));
        String authorities = "server-tls: {authorities: '" + first.certificate() + "'";
        startTo(server, "%s, certificate: '%s', key: '%s'}".formatted(authorities, second.certificate(), second.key()));
        assertThat(gateway.get("/")).isEqualTo("200 https");

        startTo(server, authorities + "}");
        assertThat(gateway.get("/")).startsWith("502");
    }

    @Test
    void aCallerThatSpeaksTheOtherProtocolIsCounted() throws Exception {
        int server = upstream(new HttpServerOptions()).port();
        start(server, tls(first));
        assertThat(gateway.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")).doesNotContain("200");
        await().until(() -> gateway.fault("caller-not-tls") == 1);

        start(server);
        assertThatThrownBy(() -> get(TestCertificate.context(first.store()), "first.test"))
                .isInstanceOf(SSLException.class);
        await().until(() -> gateway.fault("caller-tls") == 1);
    }

    @Test
    void aServerThatSpeaksTheOtherProtocolIsCounted() throws Exception {
        startTo(upstream(new HttpServerOptions()));
        assertThat(gateway.get("/")).startsWith("502");
        assertThat(gateway.fault("server-not-tls")).isEqualTo(1);

        start(upstream(secured(first)).port(), "arbitration: {retries: 0}");
        assertThat(gateway.get("/")).startsWith("502");
        await("the probe").until(() -> gateway.fault("server-tls") == 1);
    }

    @Test
    void eachFileThatCannotBeUsedHasOneClearError() throws Exception {
        Path empty = Files.writeString(directory.resolve("empty.pem"), "nothing");
        assertRefused(directory.resolve("gone.pem"), first.key(), "gone.pem' does not exist");
        assertRefused(empty, first.key(), "empty.pem' has no certificate; allowed: PEM, X.509");
        assertRefused(first.certificate(), empty, "empty.pem' has no key that can be read");
        assertRefused(
                first.certificate(),
                second.key(),
                "does not belong to the certificate in '" + first.certificate() + "'");
    }

    private static void assertRefused(Path certificate, Path key, String why) {
        assertThatThrownBy(() -> GatewayUnderTest.start(
                        1, "64m", "tls: {certificates: [{certificate: '%s', key: '%s'}]}".formatted(certificate, key)))
                .isInstanceOf(InvalidDocumentException.class)
                .hasMessageContaining(why)
                .message()
                .hasLineCount(1);
    }

    /** Connections that begin no handshake take neither the descriptors nor the other listener. */
    @Test
    void silentConnectionsAreBoundedBeforeTheHandshake() throws Exception {
        Upstream server = upstream(new HttpServerOptions());
        GatewayConfig config = ConfigFile.read("""
                        service: shop
                        threads: 2
                        admin: 127.0.0.1:0
                        listeners:
                          - name: plain
                            listen: 127.0.0.1:0
                            servers: ['127.0.0.1:%1$d']
                          - name: secured
                            listen: 127.0.0.1:0
                            servers: ['127.0.0.1:%1$d']
                            clients: {connections: 50, head: 2s}
                            tls: {certificates: [%2$s]}
                        """.formatted(server.port(), first.files()), null, "test");
        Gateway both = Gateway.start(config, new SettableControl(), ItemReaders.of(config));
        started.add(0, both);
        String open = "kipimo_gateway_connections{listener=\"secured\"}";
        String refused = "kipimo_gateway_connections_refused_total{listener=\"secured\"}";
        int port = both.ports().get("secured");
        List<Wire> silent = new ArrayList<>();
        for (int i = 0; i < 400; i++) {
            silent.add(Wire.to(port));
            if (i % 2 == 0) {
                // A first record without its end.
                silent.get(i).send(new byte[] {22, 3, 1, 2, 0, 1});
            }
        }
        started.addAll(silent);
        try (Wire wire = Wire.to(both.ports().get("plain"))) {
            wire.send("GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
            assertThat(wire.readToEnd()).startsWith("HTTP/1.1 200 ");
        }
        await().until(() -> Metrics.of(both, refused) >= 350);
        await("a handshake has the time of a head").until(() -> Metrics.of(both, open) == 0);
        assertThat(get(port, TestCertificate.context(first.store()), "first.test")
                        .answer())
                .isEqualTo("200 http");
    }

    /** Each handshake costs the gateway a signature. */
    @Test
    void aCallerCannotRenegotiate() throws Exception {
        start(upstream(new HttpServerOptions()).port(), tls(first));
        try (SSLSocket socket = (SSLSocket) TestCertificate.context(first.store())
                .getSocketFactory()
                .createSocket(InetAddress.getLoopbackAddress(), gateway.port())) {
            socket.setSoTimeout(10_000);
            socket.setEnabledProtocols(new String[] {"TLSv1.2"});
            socket.startHandshake();
            byte[] request = "GET / HTTP/1.1\r\nHost: a\r\n\r\n".getBytes(StandardCharsets.US_ASCII);
            socket.getOutputStream().write(request);
            assertThat(socket.getInputStream().read()).isEqualTo('H');
            assertThatThrownBy(() -> {
                        socket.startHandshake();
                        socket.getOutputStream().write(request);
                        socket.getInputStream().readAllBytes();
                    })
                    .isInstanceOf(SSLException.class);
        }
    }
}
