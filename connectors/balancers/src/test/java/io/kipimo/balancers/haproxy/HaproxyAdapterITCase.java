package io.kipimo.balancers.haproxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpServer;
import io.kipimo.core.admission.HashAdmission;
import io.kipimo.core.guard.ActuatorChecks;
import io.kipimo.core.guard.ActuatorConfig;
import io.kipimo.core.guard.ActuatorConfigBuilder;
import io.kipimo.core.guard.ActuatorVerdict;
import io.kipimo.core.guard.Leased;
import io.kipimo.core.guard.Slew;
import io.kipimo.schemas.decision.Decision;
import io.kipimo.schemas.decision.DecisionBuilder;
import io.kipimo.schemas.decision.DecisionMode;
import io.kipimo.sdk.trace.TraceParent;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A real HAProxy, with decisions that pass the actuator's own checks. */
class HaproxyAdapterITCase {
    private static final int QUERIES = 400;
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

    private volatile Leased<Slew> state = ActuatorChecks.initial(checks);
    private final HttpClient http = HttpClient.newHttpClient();
    private HttpServer server;
    private AgentCheck agent;
    private Haproxy haproxy;
    private HaproxyAdapter adapter;
    private long sequence;

    @BeforeEach
    void start() throws Exception {
        if (!Haproxy.isInstalled()) {
            System.err.println("SKIPPED: no haproxy on this machine; apt-get install haproxy");
            Assumptions.abort("no haproxy");
        }
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(Executors.newCachedThreadPool());
        server.createContext("/", exchange -> {
            exchange.sendResponseHeaders(200, -1);
            exchange.close();
        });
        server.start();
        agent = AgentCheck.start("127.0.0.1", 0, Set.of("low"), c -> fraction());
        haproxy = new Haproxy(directory, server.getAddress().getPort(), agent.port());
        adapter = HaproxyAdapter.start(
                HaproxyAdapter.Enforced.of(haproxy.socket(), haproxy.map().toString(), List.of("low")),
                c -> fraction());
        await().until(adapter::isConnected);
    }

    @AfterEach
    void stop() throws IOException {
        if (haproxy != null) {
            adapter.close();
            haproxy.close();
            agent.close();
            server.stop(0);
        }
    }

    private double fraction() {
        return ActuatorChecks.fractionInForce(checks, state, System.currentTimeMillis());
    }

    private Decision decision(double value) {
        long now = System.currentTimeMillis();
        return DecisionBuilder.builder()
                .controller(Decision.ADMISSION)
                .scope(SCOPE)
                .epoch(5)
                .sequence(++sequence)
                .issuedAtMillis(now)
                .asOfMillis(now)
                .validUntilMillis(now + 60_000)
                .value(value)
                .previous(0.5)
                .mode(DecisionMode.ACTIVE)
                .reason("TEST")
                .build();
    }

    private ActuatorVerdict offer(Decision decision) {
        var result = ActuatorChecks.offer(checks, state, decision, System.currentTimeMillis());
        state = result.state();
        return result.verdict();
    }

    private void awaitInForce(int millionths) {
        await(millionths + " are in force").pollInterval(Duration.ofMillis(2)).until(() -> adapter.inForce()
                .equals(Map.of("low", millionths)));
    }

    private int status(int port, String queryClass, String traceId) throws Exception {
        HttpResponse<Void> response = http.send(
                HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/"))
                        .header("kipimo-class", queryClass)
                        .header("traceparent", "00-" + traceId + "-00f067aa0ba902b7-02")
                        .build(),
                BodyHandlers.discarding());
        if (response.statusCode() == 429 && port == haproxy.port()) {
            assertThat(response.headers().firstValue("retry-after").orElseThrow())
                    .matches("[1-5]");
        }
        return response.statusCode();
    }

    @Test
    void theShareAskedForIsAdmittedAndTheSameQueriesAreShedAsByEveryGateway() throws Exception {
        Random random = new Random(11);
        for (double asked : new double[] {0.5, 0.05, 0.301, 1, 0.01}) {
            assertThat(offer(decision(asked)).isApplied()).isTrue();
            long decided = System.nanoTime();
            awaitInForce((int) Math.round(asked * 1_000_000));
            double tookMillis = (System.nanoTime() - decided) / 1e6;
            int admitted = 0;
            for (int i = 0; i < QUERIES; i++) {
                String id = "%016x%016x".formatted(random.nextLong(), random.nextLong());
                long before = System.currentTimeMillis();
                boolean is = status(haproxy.port(), "low", id) == 200;
                boolean atHourChange = before / 3_600_000 != System.currentTimeMillis() / 3_600_000;
                assertThat(is || atHourChange)
                        .as("%s at %s", id, asked)
                        .isEqualTo(HashAdmission.admits(id, asked, before) || atHourChange);
                admitted += is ? 1 : 0;
            }
            System.out.printf(
                    "haproxy: asked %.3f, admitted %.3f of %d, in force after %.1f ms%n",
                    asked, admitted / (double) QUERIES, QUERIES, tookMillis);
            assertThat(admitted / (double) QUERIES)
                    .isEqualTo(asked, within(4 * Math.sqrt(asked * (1 - asked) / QUERIES) + 1e-9));
        }
        assertThat(status(haproxy.port(), "high", "0af7651916cd43dd8448eb211c80319c"))
                .isEqualTo(200);
    }

    /** What names no query for the gateway names none for HAProxy: such queries are shed at random, not all alike. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "00-00000000000000000000000000000000-0000000000000000-00",
                "00-00000000000000000000000000000000-00f067aa0ba902b7-01",
                "00-0af7651916cd43dd8448eb211c80319c-0000000000000000-01",
                "00-0AF7651916CD43DD8448EB211C80319C-00f067aa0ba902b7-01",
                "ff-0af7651916cd43dd8448eb211c80319c-00f067aa0ba902b7-01",
                "00-0af7651916cd43dd8448eb211c80319c-00f067aa0ba902b7-01-x",
                "00-0af7651916cd43dd8448eb211c80319c-00f067aa0ba902b7-01;00-0af7651916cd43dd8448eb211c80319c-00f067aa0ba902b7-01"
            })
    void aTraceThatTheGatewayIgnoresDecidesNothing(String headers) throws Exception {
        assertThat(TraceParent.parse(headers)).isEmpty();
        assertThat(offer(decision(0.5)).isApplied()).isTrue();
        awaitInForce(500_000);
        Set<Integer> statuses = new HashSet<>();
        // By chance alike: once in 2^63.
        for (int i = 0; i < 64 && statuses.size() < 2; i++) {
            HttpRequest.Builder request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + haproxy.port() + "/"))
                    .header("kipimo-class", "low");
            for (String header : headers.split(";")) {
                request.header(TraceParent.HEADER, header);
            }
            statuses.add(http.send(request.build(), BodyHandlers.discarding()).statusCode());
        }
        assertThat(statuses).containsExactlyInAnyOrder(200, 429);
    }

    @Test
    void whatMustNotBeAppliedNeverIs() {
        assertThat(offer(decision(0.4)).isApplied()).isTrue();
        awaitInForce(400_000);
        long now = System.currentTimeMillis();
        Decision good = decision(0.9);
        sequence++;
        assertThat(offer(with(good, 4, sequence, now, now + 60_000, 0.9, DecisionMode.ACTIVE)))
                .isEqualTo(ActuatorVerdict.NOT_NEWER);
        assertThat(offer(with(good, 5, 1, now, now + 60_000, 0.9, DecisionMode.ACTIVE)))
                .isEqualTo(ActuatorVerdict.NOT_NEWER);
        assertThat(offer(with(good, 6, 1, now, now, 0.9, DecisionMode.ACTIVE))).isEqualTo(ActuatorVerdict.EXPIRED);
        assertThat(offer(with(good, 6, 1, now - 3_600_000, now + 60_000, 0.9, DecisionMode.ACTIVE)))
                .isEqualTo(ActuatorVerdict.STALE);
        assertThat(offer(with(good, 6, 1, now, now + 60_000, 0.9, DecisionMode.SHADOW)))
                .isEqualTo(ActuatorVerdict.SHADOW);
        for (double value : new double[] {Double.NaN, Double.POSITIVE_INFINITY, -0.1, 1.1, 1e300}) {
            assertThat(offer(with(good, 6, 1, now, now + 60_000, value, DecisionMode.ACTIVE)))
                    .isEqualTo(ActuatorVerdict.IMPOSSIBLE);
        }
        long writes = adapter.writes();
        await().pollDelay(Duration.ofMillis(300)).until(() -> true);
        assertThat(adapter.inForce()).containsEntry("low", 400_000);
        assertThat(adapter.writes()).isEqualTo(writes);
    }

    private static Decision with(
            Decision d, long epoch, long sequence, long asOf, long validUntil, double value, DecisionMode mode) {
        return DecisionBuilder.builder(d)
                .epoch(epoch)
                .sequence(sequence)
                .issuedAtMillis(d.issuedAtMillis() - 1)
                .asOfMillis(asOf)
                .validUntilMillis(validUntil)
                .value(value)
                .mode(mode)
                .build();
    }

    @Test
    void whenDecisionsCeaseTheSafeFractionIsWritten() {
        long now = System.currentTimeMillis();
        Decision brief = with(decision(0.2), 5, 9, now, now + 3_000, 0.2, DecisionMode.ACTIVE);
        assertThat(offer(brief).isApplied()).isTrue();
        awaitInForce(200_000);
        awaitInForce(1_000_000);
    }

    /** HAProxy then loses its run-time values and returns to the file's. */
    @Test
    void afterAReloadARestartAndAnybodysHandWhatWasDecidedComesBack() throws Exception {
        assertThat(offer(decision(0.25)).isApplied()).isTrue();
        awaitInForce(250_000);
        RuntimeApi api = new RuntimeApi(haproxy.socket(), Duration.ofSeconds(2));

        long repairs = adapter.repairs();
        api.set(haproxy.map().toString(), "low", 1_000_000, false);
        awaitTold(api, repairs);

        repairs = adapter.repairs();
        long reloaded = System.nanoTime();
        haproxy.reload();
        awaitTold(api, repairs);
        double reloadMillis = (System.nanoTime() - reloaded) / 1e6;

        haproxy.stop();
        await("the loss is detected").until(() -> !adapter.isConnected());
        assertThat(adapter.faults()).isPositive();
        // The adapter applies decisions made in the meantime.
        assertThat(offer(decision(0.35)).isApplied()).isTrue();
        haproxy.start();
        long restarted = System.nanoTime();
        awaitMap(api, "350000");
        double restartMillis = (System.nanoTime() - restarted) / 1e6;
        await().until(adapter::isConnected);
        System.out.printf(
                "haproxy: put right %.0f ms after a reload, %.0f ms after it was back from a kill%n",
                reloadMillis, restartMillis);
        assertThat(Files.readString(haproxy.map()))
                .as("the file is not touched")
                .isEqualTo("low 1000000\n");
    }

    private void awaitTold(RuntimeApi api, long repairsBefore) {
        await("the adapter repairs").until(() -> adapter.repairs() > repairsBefore);
        awaitMap(api, "250000");
    }

    private void awaitMap(RuntimeApi api, String millionths) {
        await("the map has the decided value")
                .ignoreExceptions()
                .until(() -> millionths.equals(api.map(haproxy.map().toString()).get("low")));
    }

    @Test
    void weightsFollowAgentChecks() throws Exception {
        assertThat(offer(decision(0.25)).isApplied()).isTrue();
        await("HAProxy has the weights").ignoreExceptions().untilAsserted(() -> {
            int admitted = 0;
            for (int i = 0; i < 100; i++) {
                admitted += status(haproxy.weightedPort(), "low", "0af7651916cd43dd8448eb211c80319c") == 200 ? 1 : 0;
            }
            assertThat(admitted).isBetween(24, 26);
        });
        assertThat(agent.reply("low")).isEqualTo("25%\n");
        assertThat(agent.reply("low shed")).isEqualTo("75%\n");
        assertThat(agent.reply("other")).isEqualTo("\n");
    }

    @Test
    void namesThatCouldBeCommandsAreRefused() {
        assertThatThrownBy(() -> HaproxyAdapter.Enforced.of("/s", "/m", List.of("low; shutdown sessions")))
                .hasMessageContaining("class is 'low; shutdown sessions'");
        assertThatThrownBy(() -> HaproxyAdapter.Enforced.of(" ", "a b", List.of()))
                .hasMessageContaining("socket is ' '; allowed")
                .hasMessageContaining("map is 'a b'")
                .hasMessageContaining("classes are none");
        assertThat(HaproxyAdapter.millionths(Double.NaN)).isZero();
        assertThat(HaproxyAdapter.millionths(0.3)).isEqualTo(300_000);
        assertThat(HaproxyAdapter.millionths(2)).isEqualTo(1_000_000);
    }
}
