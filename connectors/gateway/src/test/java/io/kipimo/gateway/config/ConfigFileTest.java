package io.kipimo.gateway.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.BooleanNode;
import io.kipimo.redis.RedisSettings;
import io.kipimo.schemas.document.InvalidDocumentException;
import io.kipimo.schemas.field.RecordField;
import io.kipimo.schemas.field.RecordFields;
import io.kipimo.sdk.ClassDefaults;
import io.kipimo.sdk.internal.net.Address;
import io.kipimo.sdk.internal.net.AddressRange;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class ConfigFileTest {
    private static GatewayConfig read(String yaml) {
        return ConfigFile.read(yaml, null, "host-1");
    }

    @Test
    void whatIsNotSaidHasItsDefault() {
        GatewayConfig config = read("""
                        service: shop
                        listeners:
                          - {name: web, listen: '127.0.0.1:0', servers: ['10.0.0.1:80']}
                        """);

        assertThat(config.server()).isEqualTo("host-1");
        assertThat(config.kafka()).isEmpty();
        assertThat(config.admin()).hasToString("127.0.0.1:9901");
        assertThat(config.drainMillis()).isEqualTo(30_000);
        assertThat(config.bufferBytes()).isEqualTo(Runtime.getRuntime().maxMemory() / 4);
        assertThat(config.classes()).containsExactly(entry("default", ClassDefaults.ALL));
        assertThat(config.samplingRate()).isEqualTo(0.01);
        assertThat(config.profilingShare()).isEqualTo(0.1);
        assertThat(config.record()).isEqualTo(RecordConfig.DEFAULT);
        assertThat(config.trust()).isEqualTo(GatewayConfig.CallerTrust.DEFAULT);
        ListenerConfig web = config.listeners().get(0);
        assertThat(web.role()).isEqualTo(Role.TIER);
        assertThat(web.tier()).isEqualTo("web");
        assertThat(web.defaultClass()).isEqualTo("default");
        assertThat(web.admits()).isTrue();
        assertThat(web.memoize()).isTrue();
        assertThat(web.optional()).isFalse();
        assertThat(web.idempotent()).isEqualTo(Set.of("GET", "HEAD"));
        assertThat(web.arbitration()).isEqualTo(ListenerConfig.Dispatch.DEFAULT);
        assertThat(web.limit()).isEqualTo(new ListenerConfig.ConcurrencyLimit(true, 100, 20, 2_000));
        assertThat(web.timeouts()).isEqualTo(ListenerConfig.Timeouts.DEFAULT);
        assertThat(web.clients()).isEqualTo(ListenerConfig.CallerLimits.DEFAULT);
        assertThat(web.items()).isEmpty();
        assertThat(web.trustedCallers()).isEqualTo(AddressRange.ALL);
    }

    @Test
    void theVariantIsThatOfTheGatewayOrNamedByTheServersOfAFront() {
        GatewayConfig config = read("""
                        service: shop
                        variant: canary
                        listeners:
                          - {name: edge, role: front, listen: 'a:0', servers: ['b:80'], variant-header: X-Release}
                        """);
        assertThat(config.variant()).isEqualTo("canary");
        assertThat(config.listeners().get(0).variantHeader()).isEqualTo("X-Release");
        assertThatThrownBy(() -> read("""
                                        service: shop
                                        variant: a/b
                                        listeners:
                                          - {name: part, role: component, listen: 'a:0', servers: ['b:80'], variant-header: X}
                                        """))
                .hasMessageContaining("variant is 'a/b'; allowed: 1..")
                .hasMessageContaining("allowed: in listeners of role front");
    }

    @Test
    void nobodyIsTrustedWhereQueriesComeInUnlessTheFileSaysSo() {
        GatewayConfig config = read("""
                        service: shop
                        listeners:
                          - {name: edge, role: front, listen: 'a:0', servers: ['b:80']}
                          - {name: door, listen: 'a:0', servers: ['b:80'], trusted-callers: []}
                          - {name: part, role: component, listen: 'a:0', servers: ['b:80']}
                        """);
        assertThat(config.listeners())
                .extracting(ListenerConfig::trustedCallers)
                .containsExactly(List.of(), List.of(), AddressRange.ALL);
        assertThat(config.trustingLoopback().listeners().get(0).trustedCallers())
                .isEqualTo(AddressRange.LOOPBACK);
    }

    private static Map.Entry<String, ClassDefaults> entry(String name, ClassDefaults defaults) {
        return Map.entry(name, defaults);
    }

    @Test
    void everyKeyIsTaken() {
        GatewayConfig config = read("""
                        service: shop
                        server: gw-7
                        threads: 3
                        admin: '[::1]:9000'
                        drain: 5s
                        buffers: 7m
                        kafka: {bootstrap-servers: 'k:9092', topic-prefix: x., properties: {linger.ms: '9'}}
                        classes:
                          gold: {}
                          lead: {floor: 0.1, safe: 0.5, ceiling: 0.9}
                        sampling: {rate: 0.2, profiling-share: 0.3}
                        record:
                          redis: ['r:6379']
                          redis-user: gw
                          redis-password-file: /etc/secret
                          redis-tls: true
                          timeout: 3s
                          expiration: 1m
                          memory: 64m
                          largest-body: 32k
                          replay: true
                          replay-queue: 11
                          replay-memory: 12k
                          replay-without-headers: [x-start]
                        trust: {secret-file: /etc/fleet, credential-headers: [X-Api-Key, cookie]}
                        listeners:
                          - name: web
                            role: component
                            listen: 0.0.0.0:8080
                            servers: ['a:1', 'b:2']
                            tier: index
                            cores: 4
                            class-header: x-class
                            class: lead
                            admission: true
                            memoize: false
                            optional: true
                            idempotent: [get, report]
                            arbitration: {policy: tad, tokens: 5, most-copies: 2, hedge-after: 40ms, cancel-losers: true, retries: 0, compare-after: 0s}
                            limit: {enabled: true, initial: 10, least: 5, most: 50}
                            timeouts: {connect: 20ms, response: 2s, idle: 3s}
                            clients: {head: 4s, body: 5s, least-rate: 6, largest-head: 7k, largest-line: 9k, connections: 8}
                            top-k: 7
                            deadline: 30ms
                            items: {reader: mine, array: /a, id: i, score: s}
                            trusted-callers: [10.0.0.0/8, '::1']
                        """);

        assertThat(config.server()).isEqualTo("gw-7");
        assertThat(config.threads()).isEqualTo(3);
        assertThat(config.admin()).isEqualTo(new Address("::1", 9000));
        assertThat(config.drainMillis()).isEqualTo(5_000);
        assertThat(config.bufferBytes()).isEqualTo(7 << 20);
        assertThat(config.kafka().orElseThrow().topicPrefix()).isEqualTo("x.");
        assertThat(config.kafka().orElseThrow().properties()).containsEntry("linger.ms", "9");
        assertThat(config.classes().get("lead")).isEqualTo(new ClassDefaults(0.5, 0.1, 0.9));
        assertThat(config.samplingRate()).isEqualTo(0.2);
        assertThat(config.profilingShare()).isEqualTo(0.3);
        assertThat(config.record())
                .isEqualTo(RecordConfigBuilder.builder()
                        .redis(List.of(new RedisSettings("r", 6379, "gw", "/etc/secret", "", true)))
                        .timeoutMillis(3_000)
                        .expirationMillis(60_000)
                        .memoBytes(64 << 20)
                        .bodyBytes(32 << 10)
                        .replay(true)
                        .replayQueries(11)
                        .replayBytes(12 << 10)
                        .withoutHeaders(List.of("x-start"))
                        .build());
        ListenerConfig web = config.listeners().get(0);
        assertThat(web.role()).isEqualTo(Role.COMPONENT);
        assertThat(web.listen()).hasToString("0.0.0.0:8080");
        assertThat(web.servers()).containsExactly(new Address("a", 1), new Address("b", 2));
        assertThat(web.tier()).isEqualTo("index");
        assertThat(web.cores()).isEqualTo(4);
        assertThat(web.classHeader()).isEqualTo("x-class");
        assertThat(web.defaultClass()).isEqualTo("lead");
        assertThat(web.admits()).isTrue();
        assertThat(web.memoize()).isFalse();
        assertThat(web.optional()).isTrue();
        assertThat(web.idempotent()).isEqualTo(Set.of("GET", "REPORT"));
        assertThat(web.arbitration())
                .isEqualTo(new ListenerConfig.Dispatch(CopyPolicy.TAD, 5, 2, 40, 0.05, true, 0, 0));
        assertThat(web.limit()).isEqualTo(new ListenerConfig.ConcurrencyLimit(true, 10, 5, 50));
        assertThat(web.timeouts()).isEqualTo(new ListenerConfig.Timeouts(20, 2_000, 3_000));
        assertThat(web.clients()).isEqualTo(new ListenerConfig.CallerLimits(4_000, 5_000, 6, 7 << 10, 9 << 10, 8));
        assertThat(web.topK()).isEqualTo(7);
        assertThat(web.deadlineMillis()).isEqualTo(30);
        assertThat(web.items()).contains(ItemsConfig.of("mine", "/a", "i", "s", List.of()));
        assertThat(web.trustedCallers()).hasToString("[10.0.0.0/8, 0:0:0:0:0:0:0:1/128]");
        assertThat(config.trust())
                .isEqualTo(new GatewayConfig.CallerTrust("/etc/fleet", List.of("cookie", "x-api-key")));
    }

    @Test
    void tlsHasCertificatesTowardsCallersAndAuthoritiesTowardsServers() {
        GatewayConfig config = read("""
                        service: shop
                        listeners:
                          - name: web
                            listen: 'a:0'
                            servers: ['https://b:1', 'https://[::1]:2']
                            tls: {certificates: [{certificate: c.pem, key: k.pem}], client-authorities: ca.pem}
                            server-tls: {authorities: sa.pem, certificate: sc.pem, key: sk.pem, name: b.test, verify: false}
                          - {name: plain, listen: 'a:0', servers: ['http://b:1']}
                          - {name: half, listen: 'a:0', servers: ['https://b:1']}
                        """);

        ListenerConfig web = config.listeners().get(0);
        assertThat(web.servers()).containsExactly(new Address("b", 1), new Address("::1", 2));
        assertThat(web.tls())
                .contains(new ListenerConfig.CallerTls(List.of(new CertificateFiles("c.pem", "k.pem")), "ca.pem"));
        assertThat(web.serverTls())
                .contains(new ListenerConfig.ServerTls(
                        "sa.pem", Optional.of(new CertificateFiles("sc.pem", "sk.pem")), "b.test", false));
        assertThat(config.listeners().get(1).serverTls()).isEmpty();
        assertThat(config.listeners().get(2).serverTls())
                .contains(new ListenerConfig.ServerTls("", Optional.empty(), "", true));
    }

    @Test
    void tlsThatCannotBeIsRefused() {
        assertThatThrownBy(() -> read("""
                                        service: shop
                                        listeners:
                                          - {name: a, listen: 'a:0', servers: ['https://b:1', 'b:2']}
                                          - {name: b, listen: 'a:0', servers: ['b:1'], server-tls: {verify: true}}
                                          - {name: c, listen: 'a:0', servers: ['b:1'], tls: {}}
                                          - {name: d, listen: 'a:0', servers: ['https://b:1'], server-tls: {key: k.pem}}
                                        """)).message().satisfies(text -> assertThat(text.lines())
                .containsExactlyInAnyOrder(
                        "listeners[0].servers is 'b:2'; allowed: HOST:PORT, or https://HOST:PORT of all servers",
                        "listeners[1].server-tls is there; allowed: with servers https://HOST:PORT",
                        "listeners[2].tls.certificates are none; allowed: at least one",
                        "listeners[3].server-tls.certificate is not set; allowed: a PEM file, as key is set"));
    }

    @Test
    void signsOfACutHaveAPointerAndABoundOrNone() {
        GatewayConfig config = read("""
                        service: shop
                        listeners:
                          - name: web
                            listen: '127.0.0.1:0'
                            servers: ['10.0.0.1:80']
                            items: {cut-when: [/timed_out, '/_shards/failed > 0', '/score  >  -1.5', /done < /all, /all > /done]}
                        """);

        assertThat(config.listeners().get(0).items().orElseThrow().cutWhen())
                .containsExactly(
                        new CutSign("/timed_out", Optional.empty()),
                        new CutSign("/_shards/failed", Optional.of(0.0)),
                        new CutSign("/score", Optional.of(-1.5)),
                        below("/done", "/all"),
                        below("/done", "/all"));
    }

    private static CutSign below(String pointer, String bound) {
        return new CutSign(pointer, Optional.empty(), Optional.empty(), Optional.of(bound));
    }

    @Test
    void whatCannotShowThatAnAnswerIsWholeIsRefused() {
        assertThatThrownBy(() -> read("""
                                        service: shop
                                        record: {redis: ['r:6379'], replay: true}
                                        listeners:
                                          - {name: front, role: front, listen: 'a:0', servers: ['b:80'], optional: true}
                                          - name: c
                                            role: component
                                            listen: 'a:0'
                                            servers: ['b:80']
                                            items: {cut-when: [timed_out, '/failed >= 1', '/a > b']}
                                          - name: d
                                            role: component
                                            listen: 'a:0'
                                            servers: ['b:80']
                                            items: {reader: mine, cut-when: [/timed_out]}
                                        """)).message().satisfies(text -> assertThat(text.lines())
                .containsExactlyInAnyOrder(
                        "listeners[0].optional is true; allowed: in listeners of role component",
                        "listeners[0].items is not set; allowed: set, as record.replay is true",
                        "listeners[1].items.cut-when is 'timed_out'; allowed: a JSON pointer, /timed_out, or"
                                + " one with a bound, /failed > 0, /successful < /total, /code != 0, 200",
                        "listeners[1].items.cut-when is '/failed >= 1'; allowed: a JSON pointer, /timed_out, or"
                                + " one with a bound, /failed > 0, /successful < /total, /code != 0, 200",
                        "listeners[1].items.cut-when is '/a > b'; allowed: a JSON pointer, /timed_out, or one with"
                                + " a bound, /failed > 0, /successful < /total, /code != 0, 200",
                        "listeners[2].items.cut-when is there; allowed: with reader json"));
    }

    @Test
    void anEngineHasAPresetOfWhichEachPartMayBeReplaced() {
        GatewayConfig config = read("""
                        service: shop
                        listeners:
                          - {name: a, role: front, engine: solr, listen: 'a:0', servers: ['b:80']}
                          - name: b
                            role: front
                            engine: json
                            listen: 'a:0'
                            servers: ['b:80']
                            only: ['/find', '*/match']
                            items: {array: /found, id: key, score: s, cut-when: [/partial, '/share < 1'], needs: [/share]}
                            replay: {when: cut, of-clean: 0.1, budget: 0.2, concurrency: 7, timeout: 2s, without-parameters: [ms], set-parameters: {all: true}, without-fields: [/ms], set-fields: {/exact: true}}
                        """);

        ListenerConfig solr = config.listeners().get(0);
        assertThat(solr.only()).isEqualTo(Engine.of("solr").only());
        assertThat(solr.items()).contains(Engine.of("solr").items());
        assertThat(solr.replay()).contains(Engine.of("solr").replay());
        assertThat(solr.mayRepeat("POST", "/solr/c/select?q=x")).isTrue();
        assertThat(solr.mayRepeat("POST", "/solr/c/update")).isFalse();
        assertThat(solr.mayRepeat("PUT", "/solr/c/select")).isFalse();
        ListenerConfig own = config.listeners().get(1);
        assertThat(own.only()).containsExactly(new PathRule("/find"), new PathRule("*/match"));
        ItemsConfig items = own.items().orElseThrow();
        assertThat(items.arrays()).containsExactly("/found");
        assertThat(items.ids()).containsExactly("key");
        assertThat(items.needs()).containsExactly("/share");
        assertThat(items.cutWhen())
                .containsExactly(
                        new CutSign("/partial", Optional.empty()),
                        new CutSign("/share", Optional.empty(), Optional.of(1.0)));
        assertThat(own.replay())
                .contains(new ReplayConfig(
                        ReplayConfig.When.CUT,
                        0.1,
                        0.2,
                        7,
                        2_000,
                        List.of("ms"),
                        Map.of("all", "true"),
                        List.of("/ms"),
                        Map.of("/exact", BooleanNode.TRUE)));
    }

    @Test
    void anEngineThatCannotBeMeasuredIsRefused() {
        assertThatThrownBy(() -> read("""
                                        service: shop
                                        listeners:
                                          - {name: a, engine: solr, listen: 'a:0', servers: ['b:80']}
                                          - {name: b, role: front, engine: lucene, listen: 'a:0', servers: ['b:80']}
                                          - {name: c, role: front, engine: json, listen: 'a:0', servers: ['b:80']}
                                          - name: d
                                            role: front
                                            engine: json
                                            listen: 'a:0'
                                            servers: ['b:80']
                                            only: [find, '/a b']
                                            items: {array: /found, reader: mine}
                                            idempotent: [GET]
                                            replay: {when: sometimes, budget: 2, concurrency: 0, timeout: 0ms, without-fields: [ms], of-clean: 2, of: 1}
                                          - {name: e, role: front, listen: 'a:0', servers: ['b:80'], replay: {}}
                                          - {name: f, listen: 'a:0', servers: ['b:80'], only: []}
                                          - {name: g, role: front, engine: qdrant, listen: 'a:0', servers: ['b:80'], replay: {of-clean: 0.1}}
                                        """)).message().satisfies(text -> assertThat(text.lines())
                .contains(
                        "listeners[0].engine is 'solr'; allowed: in listeners of role front",
                        "listeners[1].engine is 'lucene'; allowed: elasticsearch, json, meilisearch,"
                                + " milvus, milvus-grpc, opensearch, qdrant, qdrant-grpc, redis,"
                                + " solr, typesense, vespa, weaviate, weaviate-grpc",
                        "listeners[2].only is not set; allowed: a path with *"
                                + " for characters of a segment, at its beginning for up to two segments, such as */_search",
                        "listeners[2].items is not set; allowed: set, as engine is json",
                        "listeners[3].only is 'find'; allowed: a path with * for"
                                + " characters of a segment, at its beginning for up to two segments, such as */_search",
                        "listeners[3].only is '/a b'; allowed: a path with * for"
                                + " characters of a segment, at its beginning for up to two segments, such as */_search",
                        "listeners[3].items.reader is 'mine'; allowed: json, with an engine",
                        "listeners[3].items.cut-when is not set; allowed: set,"
                                + " or replay.when: always, or replay.of-clean above 0",
                        "listeners[3].replay.of-clean is 2; allowed: 0..1",
                        "listeners[6].replay.of-clean is 0.1; allowed: with when: cut",
                        "listeners[3].replay.when is 'sometimes'; allowed: cut, always, never",
                        "listeners[3].replay.budget is 2; allowed: 0..1",
                        "listeners[3].replay.concurrency is 0; allowed: a whole number, 1..100",
                        "listeners[3].replay.without-fields is 'ms'; allowed: a JSON pointer to a field, /timeout",
                        "listeners[4].replay is there; allowed: with engine",
                        "listeners[5].only has no path; allowed: at least one")
                .anyMatch(line -> line.startsWith("listeners[3].replay.of is unknown; allowed: ")));
    }

    @Test
    void queriesMayAskFewerComponentsOnlyIfSomethingAnswersForTheOthers() {
        GatewayConfig config = read("""
                        service: shop
                        listeners:
                          - name: front
                            role: front
                            listen: a:0
                            servers: ['b:1']
                            fan-out:
                              features: {parameters: [q], fields: [/query]}
                              rewrite: solr
                              components: {part: '10.0.0.1:8983/solr/docs_shard1'}
                          - {name: other, role: front, listen: 'a:0', servers: ['b:1'], fan-out: {}}
                          - name: part
                            role: component
                            listen: a:0
                            servers: ['b:1']
                            not-asked: {status: 204, type: text/plain, body: none}
                        """);

        FanOutConfig fanOut = config.listeners().get(0).fanOut().orElseThrow();
        assertThat(fanOut)
                .isEqualTo(new FanOutConfig(
                        List.of("q"),
                        List.of("/query"),
                        Optional.of(FanOutConfig.ShardChoice.SOLR),
                        Map.of("part", "10.0.0.1:8983/solr/docs_shard1")));
        assertThat(fanOut.value(List.of("part"))).isEqualTo("10.0.0.1:8983/solr/docs_shard1");
        assertThat(config.listeners().get(2).notAsked()).contains(new EmptyResponse(204, "text/plain", "none"));
        assertThatThrownBy(() -> read("""
                                        service: shop
                                        listeners:
                                          - {name: a, role: front, listen: 'a:0', servers: ['b:1'], fan-out: {}}
                                          - {name: b, role: front, listen: 'a:0', servers: ['b:1'], fan-out: {rewrite: solr, components: {x: 'y,z'}}}
                                          - {name: c, role: front, listen: 'a:0', servers: ['b:1'], fan-out: {components: {x: y}, rewrit: solr}}
                                          - {name: d, role: front, listen: 'a:0', servers: ['b:1'], engine: solr, fan-out: {rewrite: lucene, features: {fields: [x]}}}
                                          - {name: e, listen: 'a:0', servers: ['b:1'], not-asked: {status: 404}}
                                          - {name: f, role: component, listen: 'a:0', servers: ['b:1']}
                                        """)).isInstanceOfSatisfying(InvalidDocumentException.class, e -> assertThat(
                        e.getMessage().lines())
                .contains(
                        "listeners[0].fan-out is there; allowed: with rewrite, or if each component has not-asked;"
                                + " without: [f]",
                        "listeners[1].fan-out.components.x is 'y,z'; allowed: one shard",
                        "listeners[1].fan-out.components are [x]; allowed: the listeners of role component that are not"
                                + " optional, [f]",
                        "listeners[2].fan-out.components is there; allowed: with rewrite",
                        "listeners[2].fan-out.rewrit is unknown; allowed: rewrite, components, features",
                        "listeners[3].fan-out is there; allowed: in listeners of role front, no engine",
                        "listeners[3].fan-out.rewrite is 'lucene'; allowed: solr, opensearch, vespa",
                        "listeners[3].fan-out.features.fields is 'x'; allowed: a JSON pointer to a field, /timeout",
                        "listeners[4].not-asked is there; allowed: in listeners of role component",
                        "listeners[4].not-asked.status is 404; allowed: a whole number, 200..299"));
    }

    @Test
    void withoutAFileRequestsPassThrough() {
        GatewayConfig config = ConfigFile.passThrough("127.0.0.1:0", List.of("a:1", "b:2"), "[::1]:9000", "h");

        assertThat(config.admin()).isEqualTo(new Address("::1", 9000));
        ListenerConfig tier = config.listeners().get(0);
        assertThat(tier.servers()).containsExactly(new Address("a", 1), new Address("b", 2));
        assertThat(tier.limit().enabled()).isFalse();
        assertThatThrownBy(() -> ConfigFile.passThrough("'x': y", List.of("no\nwhere"), null, "h"))
                .hasMessageContaining("listeners[0].listen is ''x': y'; allowed: HOST:PORT")
                .hasMessageContaining("listeners[0].servers is 'no?where'; allowed: HOST:PORT, or");
    }

    @Test
    void aUserNeedsAPassword() {
        assertThatThrownBy(() -> read("""
                                        service: shop
                                        record: {redis: ['r:6379'], redis-user: gw}
                                        listeners:
                                          - {name: web, listen: 'a:0', servers: ['b:80']}
                                        """)).hasMessageContaining("record.redis: Redis user is 'gw'");
    }

    @Test
    void allProblemsAreToldAtOnceEachWithItsKeyItsValueAndWhatIsAllowed() {
        assertThatThrownBy(() -> read("""
                                        threads: 0
                                        admin: nowhere
                                        drian: 5s
                                        classes: {low: {floor: 0}}
                                        sampling: {rate: 1.5}
                                        record: {timeout: soon, memory: lots, replay: true}
                                        listeners:
                                          - name: a/b
                                            role: middle
                                            servers: ['x']
                                            class: gold
                                            limit: {initial: 5, least: 9}
                                            arbitration: {policy: fastest, retries: 9}
                                            items: {array: hits}
                                            trusted-callers: [10.0.0.0/33, localhost]
                                          - {name: c, listen: '1:2', servers: ['a:1']}
                                          - {name: c, listen: '1:2', servers: ['a:1']}
                                        """))
                .isInstanceOf(InvalidDocumentException.class)
                .message()
                .satisfies(text -> assertThat(text.lines())
                        .contains(
                                "service is not set; allowed: the service's name",
                                "threads is 0; allowed: a whole number, 1..256",
                                "admin is 'nowhere'; allowed: HOST:PORT",
                                "sampling.rate is 1.5; allowed: 0..1",
                                "record.timeout is 'soon'; allowed: 1ms..3600000ms, such as 250ms, 2s, 1m",
                                "record.memory is 'lots'; allowed: 1024..1099511627776 bytes, such as 64k, 256m",
                                "record.replay needs record.redis; allowed: at least one HOST:PORT, or no replay",
                                "listeners[0].name is 'a/b'; allowed: 1..256 characters, no '/', no control characters",
                                "listeners[0].role is 'middle'; allowed: tier, front, component",
                                "listeners[0].servers is 'x'; allowed: HOST:PORT, or https://HOST:PORT of all servers",
                                "listeners[0].listen is not set; allowed: HOST:PORT",
                                "listeners[0].arbitration.policy is 'fastest'; allowed: round-robin, tad",
                                "listeners[0].arbitration.retries is 9; allowed: a whole number, 0..3",
                                "listeners[0].items.array is 'hits'; allowed: a JSON pointer, /hits",
                                "listeners[0].trusted-callers is"
                                        + " '10.0.0.0/33'; allowed: an address or a range, such as 10.0.0.0/8",
                                "listeners[0].trusted-callers is 'localhost'; allowed: an address or a range, such as 10.0.0.0/8",
                                "listeners[2].name 'c' occurs twice")
                        .anyMatch(l -> l.startsWith("drian is unknown; allowed:"))
                        .anyMatch(l -> l.startsWith("listeners[0].limit.initial is 5"))
                        .anyMatch(l -> l.startsWith("classes.low: ")));
    }

    private static GatewayConfig withItems(String items) {
        return read("""
                service: shop
                listeners:
                  - name: web
                    role: front
                    engine: json
                    listen: 'a:0'
                    servers: ['b:80']
                    only: ['/q']
                    replay: {when: always}
                    items: {%s}
                """.formatted(items));
    }

    @Test
    void cancelledCopiesCannotBeCompared() {
        assertThatThrownBy(() -> ConfigFile.read("""
                                        service: shop
                                        admin: 127.0.0.1:0
                                        listeners:
                                          - name: web
                                            listen: 127.0.0.1:0
                                            servers: ['127.0.0.1:1']
                                            arbitration: {cancel-losers: true, compare-after: 5s}
                                        """, null, "test"))
                .hasMessageContaining("compare-after is 5000ms; allowed with cancel-losers: 0ms");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"document/id", "$.id", "$['id']", "id[0]", "hits.*.id", "/", "//id", "/a~2", ".id", "a..b", "a."
            })
    void aNameThatNoItemCanHaveIsRefused(String name) {
        for (String key : List.of("id", "score")) {
            assertThatThrownBy(() -> withItems(key + ": \"" + name + '"'))
                    .hasMessageContaining("items.%s is '%s'; allowed: a field of an item".formatted(key, name));
        }
        assertThatThrownBy(() -> withItems("reader: javabin, id: /id"))
                .hasMessageContaining("items.id is '/id'; allowed: the name of a field");
    }

    @ParameterizedTest
    @ValueSource(strings = {"id", "_id", "$oid", "document.id", "/document/id", "/a~1b/0", "a b"})
    void namesAndWaysToFieldsAreAllowed(String name) {
        ItemsConfig items = withItems("order: score, id: '" + name + "'")
                .listeners()
                .get(0)
                .items()
                .get();
        assertThat(items.ids()).containsExactly(name);
        assertThat(items.order()).isEqualTo(ItemsConfig.Order.SCORE);
    }

    @Test
    void whatIsNoMappingOrNoYamlIsRefused() {
        assertThatThrownBy(() -> read("[1, 2]"))
                .hasMessageContaining("the file is '[1,2]'; allowed: a mapping of keys to values");
        assertThatThrownBy(() -> read("a: [")).hasMessageContaining("the file is not YAML");
        assertThatThrownBy(() -> read("service: a\nservice: b")).isInstanceOf(InvalidDocumentException.class);
        assertThatThrownBy(() -> read("")).isInstanceOf(InvalidDocumentException.class);
    }

    @Test
    void kafkaSettingsThatCouldLoadCodeAreRefused() {
        assertThatThrownBy(() -> read("""
                                        service: shop
                                        kafka: {bootstrap-servers: 'k:1', properties: {metric.reporters: evil}}
                                        listeners:
                                          - {name: web, listen: '127.0.0.1:0', servers: ['a:80']}
                                        """)).hasMessageContaining("metric.reporters");
    }

    @Test
    void aConfigurationMayHaveItsOwnPresets() {
        ListenerConfig own = read("""
                                service: shop
                                engines:
                                  mine:
                                    only: [/find]
                                    items:
                                      array: /found
                                      cut-when: [/limited]
                                      requests:
                                        - {when: [size = 0], shows: no-list}
                                        - {when: [limit > 0, /a], needs: [/limited]}
                                listeners:
                                  - {name: a, role: front, engine: mine, listen: 'a:0', servers: ['b:80']}
                                """).listeners().get(0);

        assertThat(own.engine().orElseThrow().component()).isEqualTo("mine");
        assertThat(own.items().orElseThrow().requests())
                .extracting(RequestRule::shows)
                .containsExactly(RequestRule.Shows.NO_LIST, RequestRule.Shows.ALL);
        assertThatThrownBy(() -> read("""
                                        service: shop
                                        engines:
                                          solr: {items: {array: /a}}
                                          b: {items: {array: /a, requests: [{when: ['size ~ ('], shows: some}]}}
                                        listeners:
                                          - {name: a, listen: 'a:0', servers: ['b:80']}
                                        """))
                .hasMessageContaining("engines.solr is there; allowed: another name than of a shipped preset")
                .hasMessageContaining("engines.b.items.requests[0].when is 'size ~ ('; allowed: a")
                .hasMessageContaining("requests[0].shows is 'some'; allowed: all, more, no-list, approximate, nothing");
    }

    @Test
    void aListenerMaySayThatItIsNotWhatAnotherRoleIs() {
        ListenerConfig tier = read("""
                                service: shop
                                listeners:
                                  - {name: a, listen: 'a:0', servers: ['b:80'], optional: false, tell: false}
                                """).listeners().get(0);
        assertThat(tier.optional() || tier.tell()).isFalse();
        assertThatThrownBy(() -> read("""
                                        service: shop
                                        listeners:
                                          - {name: a, listen: 'a:0', servers: ['b:80'], engine: solr, tell: true, fan-out: {rewrite: solr}}
                                        """)).message().satisfies(text -> assertThat(text.lines())
                .contains(
                        "listeners[0].engine is 'solr'; allowed: in listeners of role front",
                        "listeners[0].tell is true; allowed: in listeners of role front",
                        "listeners[0].fan-out is there; allowed: in listeners of role front"));
    }

    /** Keys that listeners of one role may have are declared at the record. */
    @Test
    void thePageTellsWhoseAKeyIs() throws IOException {
        String page = Files.readString(Path.of("..", "..", "docs", "gateway.md"));
        for (RecordField field : RecordFields.of(ListenerConfig.class).all()) {
            field.annotation(OfRole.class).ifPresent(of -> assertThat(page)
                    .containsPattern("(?m)^\\| `" + field.key('-') + "`.*\\| Of a "
                            + of.value().name().toLowerCase(Locale.ROOT)));
        }
    }

    static Stream<Engine> engines() {
        return Engine.all().values().stream()
                .filter(engine -> !engine.name().equals("json") && engine.grpc().isEmpty());
    }

    /** The listeners of the engines' guides. */
    @ParameterizedTest
    @MethodSource("engines")
    void theGuideOfEachEngineHasAListenerThatIsFine(Engine engine) throws IOException {
        String page = Files.readString(Path.of("..", "..", "docs", "engines", engine.component() + ".md"));
        List<String> blocks = Pattern.compile("(?ms)^( *)```yaml\\n(.*?)\\n\\1```$")
                .matcher(page)
                .results()
                .map(block -> block.group(2).stripIndent())
                .filter(block -> block.contains("engine: "))
                .toList();

        assertThat(blocks).hasSize(1);
        String file = blocks.get(0).contains("listeners:")
                ? blocks.get(0)
                : "service: shop\nlisteners:\n" + blocks.get(0).indent(2);
        ListenerConfig listener = ConfigFile.read(file, null, "gw").listeners().get(0);
        assertThat(listener.engine()).hasValue(engine);
        assertThat(listener.servers()).doesNotContain(listener.listen());
    }
}
