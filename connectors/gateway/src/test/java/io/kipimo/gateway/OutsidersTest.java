package io.kipimo.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import io.kipimo.core.admission.HashAdmission;
import io.kipimo.core.sampling.ConsistentSampling;
import io.kipimo.gateway.config.ConfigFile;
import io.kipimo.gateway.config.GatewayConfig;
import io.kipimo.gateway.record.ItemReaders;
import io.kipimo.sdk.internal.control.SettableControl;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A client does not control whether it is measured, whether it is admitted, or its class (issue 17, E4). Requests are
 * sent as bytes.
 */
class OutsidersTest {
    private static final int REQUESTS = 200;

    @TempDir
    private Path directory;

    private final SettableControl control = new SettableControl();
    private final List<String> parents = new CopyOnWriteArrayList<>();
    private final List<String> states = new CopyOnWriteArrayList<>();
    private final List<String> costs = new CopyOnWriteArrayList<>();
    private final List<String> classes = new CopyOnWriteArrayList<>();
    private Upstream upstream;
    private Gateway gateway;

    @BeforeEach
    void start() throws Exception {
        upstream = Upstream.start(request -> {
            parents.addAll(request.headers().getAll("traceparent"));
            states.addAll(request.headers().getAll("tracestate"));
            classes.addAll(request.headers().getAll("kipimo-class"));
            classes.addAll(request.headers().getAll("kipimo_class"));
            costs.addAll(request.headers().getAll("kipimo-cost"));
            costs.addAll(request.headers().getAll("kipimo_cost"));
            request.response().end("ok");
        });
        gateway = gateway("one");
    }

    /** Listeners of each kind; those with the same secret belong to one fleet. */
    private Gateway gateway(String secret) throws Exception {
        Path file = directory.resolve(secret);
        Files.writeString(file, secret.repeat(16));
        GatewayConfig config = ConfigFile.read("""
                        service: shop
                        threads: 1
                        admin: 127.0.0.1:0
                        classes: {high: {}, low: {floor: 0.001}}
                        trust: {secret-file: '%2$s'}
                        listeners:
                          - {name: edge, role: front, class: low, listen: '127.0.0.1:0', servers: ['127.0.0.1:%1$d']}
                          - {name: edge-tier, class: low, trusted-callers: [], listen: '127.0.0.1:0', servers: ['127.0.0.1:%1$d']}
                          - {name: inner, role: front, class: low, trusted-callers: [127.0.0.0/8], listen: '127.0.0.1:0', servers: ['127.0.0.1:%1$d']}
                          - {name: tier, class: low, listen: '127.0.0.1:0', servers: ['127.0.0.1:%1$d']}
                        """.formatted(upstream.port(), file), null, "gw");
        return Gateway.start(config, control, ItemReaders.of(config));
    }

    @AfterEach
    void stop() {
        gateway.close();
        upstream.close();
    }

    private static List<String> chosen(Predicate<String> by) {
        Random random = new Random(5);
        return Stream.generate(() -> "%016x%016x".formatted(random.nextLong(), random.nextLong()))
                .filter(by)
                .limit(REQUESTS)
                .toList();
    }

    private static String parent(String traceId) {
        return "traceparent: 00-" + traceId + "-00f067aa0ba902b7-03\r\n";
    }

    private int ask(String listener, String target, String headers) throws Exception {
        return ask(gateway, listener, target, headers);
    }

    private static int ask(Gateway at, String listener, String target, String headers) throws Exception {
        try (Wire wire = Wire.to(at.ports().get(listener))) {
            wire.send("GET " + target + " HTTP/1.1\r\nHost: a\r\nConnection: close\r\n" + headers + "\r\n");
            return Integer.parseInt(wire.readToEnd().substring(9, 12));
        }
    }

    private List<String> seenTraceIds() {
        return parents.stream().map(parent -> parent.substring(3, 35)).toList();
    }

    private int admitted(String listener, List<String> ids) throws Exception {
        int admitted = 0;
        for (String id : ids) {
            admitted += ask(listener, "/?q=" + id, parent(id)) == 200 ? 1 : 0;
        }
        return admitted;
    }

    @Test
    void nobodyOutsideChoosesToBeMeasured() throws Exception {
        List<String> ids = chosen(id -> ConsistentSampling.isSampled(id, 0.01));
        control.samplingRate = 0.01;
        for (String listener : List.of("edge", "edge-tier")) {
            parents.clear();
            for (String id : ids) {
                assertThat(ask(listener, "/", parent(id))).isEqualTo(200);
            }
            assertThat(seenTraceIds())
                    .as(listener)
                    .hasSize(REQUESTS)
                    .doesNotHaveDuplicates()
                    .doesNotContainAnyElementsOf(ids);
            assertThat(seenTraceIds().stream().filter(i -> ConsistentSampling.isSampled(i, 0.01)))
                    .as("2 are expected; more than 15 are once in 10^9 times")
                    .hasSizeLessThan(16);
        }
        assertThat(control.answers).hasSizeLessThan(16);

        assertThat(Metrics.ignored(gateway, "edge", "trace_of_outsider")).isEqualTo(REQUESTS);
    }

    @Test
    void onlyTrustedCallersStateACost() throws Exception {
        for (String listener : List.of("edge", "edge-tier")) {
            ask(listener, "/", "kipimo-cost: 7\r\nkipimo_cost: 8\r\n");
        }
        assertThat(costs).isEmpty();
        for (String cost : List.of("7.5", "x", "-1", "NaN", "1e999", "")) {
            ask("inner", "/", "kipimo-cost: " + cost + "\r\n");
        }
        assertThat(control.costsOffered).containsExactly(0.0, 7.5, 0.0, 0.0, 0.0, 0.0, 0.0);
        assertThat(control.costsAnswered).isEqualTo(control.costsOffered);
        assertThat(costs).contains("7.5");
    }

    @Test
    void trustedCallersNameTheirTraces() throws Exception {
        List<String> ids = chosen(id -> ConsistentSampling.isSampled(id, 0.01)).subList(0, 20);
        control.samplingRate = 0.01;
        for (String id : ids) {
            ask("inner", "/", parent(id) + "tracestate: a=1\r\n");
        }
        assertThat(seenTraceIds()).isEqualTo(ids);
        assertThat(states).hasSize(ids.size()).containsOnly("a=1");
        assertThat(control.answers).hasSize(ids.size());
    }

    @Test
    void nobodyOutsideChoosesToBeAdmitted() throws Exception {
        control.fraction = 0.5;
        List<String> ids = chosen(id -> HashAdmission.admits(id, 0.5, 0));
        for (String listener : List.of("edge", "edge-tier")) {
            assertThat(admitted(listener, ids))
                    .as("%s; 100 are expected, seven deviations around it", listener)
                    .isBetween(50, 150);
        }
        assertThat(admitted("inner", ids)).isEqualTo(REQUESTS);
        assertThat(admitted("tier", ids)).isEqualTo(REQUESTS);
    }

    @Test
    void tiersBehindDecideAsTheEdgeDid() throws Exception {
        control.fraction = 0.1;
        int admitted = admitted("edge", chosen(id -> true));
        assertThat(admitted).isBetween(2, 60);
        assertThat(seenTraceIds())
                .hasSize(admitted)
                .doesNotHaveDuplicates()
                .allMatch(id -> HashAdmission.admits(id, 0.1, 0));
    }

    @Test
    void aRetryWithinTheMinuteMeetsTheSameDecision() throws Exception {
        control.fraction = 0.5;
        Gateway ofTheFleet = gateway("one");
        try {
            Set<Integer> seen = new HashSet<>();
            for (int i = 0; i < 20; i++) {
                Set<Integer> statuses = new HashSet<>();
                long minute;
                do {
                    statuses.clear();
                    minute = System.currentTimeMillis() / 60_000;
                    for (String headers : List.of(
                            "",
                            parent("4bf92f3577b34da6a3ce929d0e0e4736"),
                            parent("0af7651916cd43dd8448eb211c80319c"),
                            "User-Agent: x\r\nkipimo-class: high\r\n")) {
                        statuses.add(ask("edge", "/?q=" + i, headers));
                        statuses.add(ask("edge-tier", "/?q=" + i, headers));
                        statuses.add(ask(ofTheFleet, "edge", "/?q=" + i, headers));
                    }
                } while (minute != System.currentTimeMillis() / 60_000);
                assertThat(statuses).as("of request %d", i).hasSize(1);
                seen.addAll(statuses);
            }
            assertThat(seen).containsExactlyInAnyOrder(200, 429);
        } finally {
            ofTheFleet.close();
        }
    }

    /** Many callers may share an address. They must not all be shed for the same minute. */
    @Test
    void callersBehindOneAddressAreDrawnApart() throws Exception {
        control.fraction = 0.5;
        for (String header : List.of("X-Forwarded-For", "Authorization", "Cookie")) {
            int admitted = 0;
            for (int i = 0; i < REQUESTS; i++) {
                admitted += ask("edge", "/search", header + ": " + i + "\r\n") == 200 ? 1 : 0;
            }
            assertThat(admitted).as(header).isBetween(50, 150);
        }
    }

    @Test
    void nobodyOutsideChoosesItsClass() throws Exception {
        control.fraction = 0;
        for (String listener : List.of("edge", "edge-tier")) {
            assertThat(ask(listener, "/", "kipimo-class: high\r\n"))
                    .as(listener)
                    .isEqualTo(429);
        }
        control.fraction = 1;
        for (String listener : List.of("edge", "edge-tier")) {
            for (String headers : List.of(
                    "",
                    "kipimo-class: high\r\n",
                    "kipimo_class: high\r\n",
                    "KIPIMO-CLASS: high\r\nkipimo-class: low\r\n")) {
                classes.clear();
                assertThat(ask(listener, "/", headers)).isEqualTo(200);
                assertThat(classes).as("tiers behind").containsExactly("low");
            }
        }
        assertThat(Metrics.ignored(gateway, "edge", "class")).isEqualTo(3);
        classes.clear();
        control.fraction = 0;
        assertThat(ask("inner", "/", "kipimo-class: high\r\n")).isEqualTo(200);
        assertThat(classes).containsExactly("high");
    }

    /** Two servers in a row could read different values. */
    @Test
    void ofTwoValuesNoneIsBelievedOfTrustedCallersEither() throws Exception {
        String one = "4bf92f3577b34da6a3ce929d0e0e4736";
        String two = "0af7651916cd43dd8448eb211c80319c";
        ask("inner", "/", parent(one) + parent(two) + "tracestate: a=1\r\n");
        assertThat(seenTraceIds()).hasSize(1).doesNotContain(one, two);
        assertThat(states).isEmpty();
        assertThat(Metrics.ignored(gateway, "inner", "trace_malformed")).isEqualTo(1);

        ask("inner", "/", "kipimo-class: high\r\nkipimo-class: low\r\n");
        assertThat(classes).containsExactly("low");

        parents.clear();
        ask("inner", "/", "traceparent: 00-" + one + "-00f067aa0ba902b7-0\r\n");
        assertThat(seenTraceIds()).hasSize(1).doesNotContain(one);
    }

    @Test
    void ofARestartedTraceOnlyWhetherItIsRecordedStaysTheCallers() throws Exception {
        String id = "4bf92f3577b34da6a3ce929d0e0e4736";
        ask("edge", "/", "traceparent: 00-" + id + "-00f067aa0ba902b7-01\r\ntracestate: a=1\r\n");
        ask("edge", "/", "traceparent: 00-" + id + "-00f067aa0ba902b7-00\r\n");
        ask("edge", "/", "Connection: traceparent\r\n" + parent(id));
        ask("edge", "/", "");
        assertThat(parents).extracting(p -> p.substring(53)).containsExactly("03", "02", "03", "02");
        assertThat(parents).noneMatch(p -> p.contains(id) || p.contains("00f067aa0ba902b7"));
        assertThat(states).isEmpty();
        parents.clear();
        ask("edge-tier", "/", "");
        assertThat(parents).as("a tier adds none").isEmpty();
    }
}
