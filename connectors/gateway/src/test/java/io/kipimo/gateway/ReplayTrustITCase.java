package io.kipimo.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.kipimo.gateway.config.ConfigFile;
import io.kipimo.gateway.config.GatewayConfig;
import io.kipimo.gateway.record.ItemReaders;
import io.kipimo.gateway.trust.FleetSecret;
import io.kipimo.gateway.trust.ReplayTokens;
import io.kipimo.sdk.internal.control.SettableControl;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import redis.embedded.RedisServer;

/**
 * The memo cache has a component's response to Alice. An attacker who knows the query's id tries to get it (issue 17,
 * E1). Requests are sent as bytes.
 */
class ReplayTrustITCase {
    private static final String TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
    private static final String OTHER_TRACE = "0af7651916cd43dd8448eb211c80319c";
    private static final String ALICE = "Authorization: Bearer alice\r\nCookie: session=7\r\n";
    private static final List<String> LISTENERS = List.of("parts", "guarded", "tier", "front", "edge");

    @TempDir
    private Path directory;

    private final SettableControl control = new SettableControl();

    /** All values of {@code tracestate} that the server received. */
    private final List<String> states = new CopyOnWriteArrayList<>();

    private final AtomicInteger answers = new AtomicInteger();
    private RedisServer redis;
    private Upstream upstream;
    private Gateway gateway;
    private ReplayTokens tokens;

    @BeforeEach
    void start() throws Exception {
        redis = LocalRedis.start(directory);
        upstream = Upstream.start(request -> {
            states.addAll(request.headers().getAll("tracestate"));
            request.response().end("answer " + answers.incrementAndGet());
        });
        Path secret = directory.resolve("secret");
        Files.writeString(secret, "f".repeat(64));
        tokens = new ReplayTokens(FleetSecret.of(secret.toString()));
        GatewayConfig config = ConfigFile.read(
                """
                        service: shop
                        threads: 1
                        admin: 127.0.0.1:0
                        trust: {secret-file: '%2$s'}
                        record: {redis: ['127.0.0.1:%3$d'], timeout: 30s, expiration: 60s}
                        listeners:
                          - {name: parts, role: component, listen: '127.0.0.1:0', servers: ['127.0.0.1:%1$d']}
                          - {name: guarded, role: component, listen: '127.0.0.1:0', servers: ['127.0.0.1:%1$d'], trusted-callers: [10.0.0.0/8]}
                          - {name: tier, listen: '127.0.0.1:0', servers: ['127.0.0.1:%1$d']}
                          - {name: front, role: front, listen: '127.0.0.1:0', servers: ['127.0.0.1:%1$d'], trusted-callers: [127.0.0.1]}
                          - {name: edge, role: front, listen: '127.0.0.1:0', servers: ['127.0.0.1:%1$d']}
                        """.formatted(upstream.port(), secret, redis.ports().get(0)), null, "gw");
        gateway = Gateway.start(config, control, ItemReaders.of(config));
        record();
    }

    @AfterEach
    void stop() throws Exception {
        gateway.close();
        upstream.close();
        redis.stop();
    }

    /** Alice's query is sampled, and the component's response to her is kept. */
    private void record() throws Exception {
        control.samplingRate = 1;
        assertThat(ask("parts", TRACE, ALICE)).endsWith("answer 1");
        await("kept").until(() -> gateway.metrics().contains("kipimo_gateway_memo_stored_total 1"));
        control.samplingRate = 0;
        states.clear();
    }

    private String ask(String listener, String traceId, String headers) throws Exception {
        try (Wire wire = Wire.to(gateway.ports().get(listener))) {
            wire.send("GET /part?q=a HTTP/1.1\r\nHost: a\r\nConnection: close\r\ntraceparent: 00-"
                    + traceId
                    + "-00f067aa0ba902b7-03\r\n"
                    + headers
                    + "\r\n");
            return wire.readToEnd();
        }
    }

    private String token(long validMillis) {
        return tokens.issue(TRACE, System.currentTimeMillis() + validMillis);
    }

    private static String state(String value) {
        return "tracestate: " + value + "\r\n";
    }

    /** Otherwise the attacks below could fail for another reason. */
    @Test
    void aReplayOfTheFleetIsAnsweredFromTheMemoCache() throws Exception {
        String valid = state("a=1,kipimo=" + token(30_000) + ",b=2");
        assertThat(ask("parts", TRACE, ALICE + valid)).endsWith("answer 1");
        assertThat(ask("parts", TRACE, valid + ALICE)).endsWith("answer 1");
        assertThat(upstream.requests.get()).isEqualTo(1);
        assertThat(gateway.metrics()).contains("kipimo_gateway_memo_hits_total 2");
    }

    @Test
    void nobodyElseIsWhateverTheySendToWhicheverListener() throws Exception {
        List<String> attacks = new ArrayList<>();
        for (String blank : List.of(
                "",
                " ",
                "\t",
                "\u00a0",
                "\u0085",
                "\u00c2\u00a0",
                "\u00c2\u0085",
                "\u00e2\u0080\u0083",
                "\u000b",
                "\u000c",
                "\u001c",
                "\u001f",
                "\u007f")) {
            for (String entry : List.of(
                    "kipimo=replay",
                    "KIPIMO=replay",
                    "kipimo =replay",
                    "kipimo=" + tokens.issue(OTHER_TRACE, System.currentTimeMillis() + 30_000),
                    "kipimo=" + token(-1),
                    "kipimo=" + token(30_000).replaceFirst(".$", "%"),
                    "kipimo=replay-7fffffffffffffff-AAAAAAAAAAAAAAAAAAAAAA")) {
                attacks.add(state(blank + entry));
                attacks.add(state("a=1," + blank + entry));
                attacks.add(state(entry + blank));
            }
        }
        String valid = "kipimo=" + token(30_000);
        attacks.add(state("\u00a0" + valid));
        attacks.add(state(valid + "," + valid));
        attacks.add(state(valid) + state("kipimo=replay"));
        attacks.add(state("kipimo=replay") + state(valid));
        attacks.add(state(valid + ",k=v".repeat(32)));
        attacks.add(state(valid) + "traceparent: 00-" + OTHER_TRACE + "-00f067aa0ba902b7-03\r\n");

        int sent = 0;
        for (String attack : attacks) {
            for (String listener : LISTENERS) {
                states.clear();
                assertThat(ask(listener, TRACE, ALICE + attack))
                        .as("%s: %s", listener, attack)
                        // A malformed head is answered as version 1.0.
                        .startsWith("HTTP/1.")
                        .doesNotEndWith("answer 1");
                assertThat(states)
                        .as("tracestate at the server behind %s, after %s", listener, attack)
                        .noneMatch(state -> state.toLowerCase(Locale.ROOT).contains("kipimo"));
                sent++;
            }
        }
        assertThat(sent).isGreaterThan(1_000);
        assertThat(gateway.metrics()).contains("kipimo_gateway_memo_hits_total 0");
        assertThat(Metrics.ignored(gateway, "parts", "replay_forged")).isPositive();
        assertThat(Metrics.ignored(gateway, "parts", "replay_expired")).isPositive();
        assertThat(Metrics.ignored(gateway, "parts", "tracestate_malformed")).isPositive();
        assertThat(Metrics.ignored(gateway, "front", "replay_misplaced")).isPositive();
        assertThat(Metrics.ignored(gateway, "guarded", "replay_misplaced")).isPositive();
    }

    @Test
    void aTokenOpensNothingOnListenersOfOtherRolesOrForCallersThatAreNotTrusted() throws Exception {
        for (String listener : List.of("guarded", "tier", "front", "edge")) {
            assertThat(ask(listener, TRACE, ALICE + state("kipimo=" + token(30_000))))
                    .as(listener)
                    .doesNotEndWith("answer 1");
        }
        assertThat(states)
                .as("a tier between front end and component forwards it")
                .hasSize(1);
        assertThat(gateway.metrics()).contains("kipimo_gateway_memo_hits_total 0");
    }

    @Test
    void whatAliceWasAnsweredIsGivenToNobodyWithOtherCredentials() throws Exception {
        String valid = state("kipimo=" + token(30_000));
        for (String caller : List.of(
                "",
                "Authorization: Bearer mallory\r\nCookie: session=7\r\n",
                "Authorization: Bearer alice\r\nCookie: session=8\r\n",
                "Authorization: Bearer alice\r\n",
                "Cookie: session=7\r\n",
                ALICE + "Cookie: session=8\r\n",
                ALICE + "Authorization: Bearer mallory\r\n")) {
            assertThat(ask("parts", TRACE, caller + valid))
                    .as(caller)
                    .startsWith("HTTP/1.1 200")
                    .doesNotEndWith("answer 1");
        }
        assertThat(gateway.metrics()).contains("kipimo_gateway_memo_hits_total 0");
    }

    /** A second record of the same component would falsify its query. */
    @Test
    void whatIsTakenForNoReplayIsNotRecordedEither() throws Exception {
        control.samplingRate = 1;
        ask("parts", OTHER_TRACE, state("kipimo=" + token(30_000)));
        ask("parts", OTHER_TRACE, state("kipimo=replay"));
        assertThat(gateway.metrics()).contains("kipimo_gateway_memo_stored_total 1");
        ask("parts", OTHER_TRACE, "");
        await("only this request is stored")
                .until(() -> gateway.metrics().contains("kipimo_gateway_memo_stored_total 2"));
    }

    @Test
    void whatOthersSayInTracestateGoesOnUntouched() throws Exception {
        String others = "rojo=00f067aa0ba902b7 ,\tcongo=t61rcWkgMzE";
        for (String listener : List.of("parts", "tier", "front")) {
            ask(listener, OTHER_TRACE, state(others));
        }
        assertThat(states).hasSize(3).containsOnly(others);
    }
}
