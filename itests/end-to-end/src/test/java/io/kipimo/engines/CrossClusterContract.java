package io.kipimo.engines;

import static org.assertj.core.api.Assertions.assertThat;

import io.kipimo.gateway.Gateway;
import io.kipimo.gateway.config.ConfigFile;
import io.kipimo.gateway.config.GatewayConfig;
import io.kipimo.harness.opensearch.OpenSearchCluster;
import io.kipimo.harness.opensearch.OpenSearchCluster.EngineKind;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;

/**
 * Two real clusters, of which one asks the other: what the gateway calls the answers of the first while both live, and
 * after the second was killed.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
abstract class CrossClusterContract {
    private static final int DOCUMENTS = 2_000;
    private static final String SHOWN = "&filter_path=timed_out,_shards,hits";

    @AutoClose
    private final Started started = new Started();

    private final HttpClient http =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private OpenSearchCluster remote;
    private Gateway gateway;

    /** What becomes of an answer. */
    private enum Verdict {
        WHOLE,
        PARTIAL,
        NO_LIST,
        UNREADABLE
    }

    abstract EngineKind engine();

    private String label() {
        return engine().name().toLowerCase(Locale.ROOT);
    }

    /** A further line of the listener. */
    String settings() {
        return "";
    }

    @BeforeAll
    void start() throws Exception {
        Optional<String> whyNot = OpenSearchCluster.whyNot();
        whyNot.ifPresent(why -> System.err.println("SKIPPED: two clusters: " + why));
        Assumptions.assumeTrue(whyNot.isEmpty(), () -> whyNot.orElse(""));
        Path unpacked = Path.of("target", label()).toAbsolutePath();
        try (Stream<Path> found = Files.list(unpacked)) {
            Path distribution = found.findFirst().orElseThrow();
            remote = started.keep(start(distribution, "b"));
            OpenSearchCluster local = started.keep(start(distribution, "a"));
            local.connect("b", remote);
            GatewayConfig config =
                    ConfigFile.read("""
                            service: shop
                            threads: 1
                            admin: 127.0.0.1:0
                            listeners:
                              - name: front
                                role: front
                                engine: %s
                                listen: 127.0.0.1:0
                                servers: ['127.0.0.1:%d']
                                %s
                            """.formatted(label(), local.ports().get(0), settings()), null, "gw");
            gateway = started.keep(Gateway.start(config));
        }
    }

    private OpenSearchCluster start(Path distribution, String name) throws IOException, InterruptedException {
        return OpenSearchCluster.start(engine(), distribution, name, 1, 2, DOCUMENTS);
    }

    private Verdict verdict(String target) throws Exception {
        Map<Verdict, Double> before = counts();
        int status = http.send(
                        HttpRequest.newBuilder(URI.create(
                                        "http://127.0.0.1:" + gateway.ports().get("front") + target))
                                .build(),
                        BodyHandlers.ofString())
                .statusCode();
        assertThat(status).as(target).isEqualTo(200);
        Map<Verdict, Double> after = counts();
        for (Verdict verdict : List.of(Verdict.NO_LIST, Verdict.UNREADABLE, Verdict.PARTIAL)) {
            if (after.get(verdict) > before.get(verdict)) {
                return verdict;
            }
        }
        assertThat(after.get(Verdict.WHOLE)).as(target).isEqualTo(before.get(Verdict.WHOLE) + 1);
        return Verdict.WHOLE;
    }

    private Map<Verdict, Double> counts() {
        return Stream.of(Verdict.values())
                .collect(Collectors.toMap(
                        verdict -> verdict,
                        verdict -> EngineContract.metric(
                                gateway,
                                switch (verdict) {
                                    case WHOLE -> "answers_total";
                                    case PARTIAL -> "responses_cut_total";
                                    default ->
                                        "answers_unmeasurable_total{reason=\""
                                                + verdict.name().toLowerCase(Locale.ROOT)
                                                + "\"}";
                                })));
    }

    @Test
    @Order(1)
    void whileBothLive() throws Exception {
        assertThat(verdict("/docs/_search?q=text:de")).isEqualTo(Verdict.WHOLE);
        assertThat(verdict("/docs/_search?q=text:de" + SHOWN)).isEqualTo(Verdict.WHOLE);
        assertThat(verdict("/docs/_search?size=0")).isEqualTo(Verdict.WHOLE);
        assertThat(verdict("/docs/_search?terminate_after=1000000")).isEqualTo(Verdict.WHOLE);
        assertThat(verdict("/docs,b:docs/_search?q=text:de")).isEqualTo(Verdict.WHOLE);
        assertThat(verdict("/b:docs/_search?q=text:de")).isEqualTo(Verdict.WHOLE);
        // Elasticsearch refuses the date, as it takes the colon for that of a cluster. It knows the number of documents
        // beforehand, and ends no search for it early.
        if (engine() == EngineKind.OPENSEARCH) {
            assertThat(verdict("/%3Cdocs%7Bnow%7BHH:mm%7D%7D*%3E,docs/_search?q=text:de"))
                    .isEqualTo(Verdict.WHOLE);
            assertThat(verdict("/docs/_search?terminate_after=1&size=0")).isEqualTo(Verdict.NO_LIST);
        }

        assertThat(verdict("/docs/_search?terminate_after=1")).isEqualTo(Verdict.PARTIAL);
        assertThat(verdict("/docs/_search?terminate_after=1&size=0&q=text:de%20AND%20text:le"))
                .isEqualTo(Verdict.NO_LIST);
        assertThat(verdict("/docs/_search?terminate_after=1" + SHOWN)).isEqualTo(Verdict.UNREADABLE);
        assertThat(verdict("/docs,b:docs/_search?q=text:de" + SHOWN)).isEqualTo(Verdict.UNREADABLE);
        assertThat(verdict("/nope-*/_search")).isEqualTo(Verdict.NO_LIST);
    }

    @Test
    @Order(2)
    void afterTheOtherWasKilled() throws Exception {
        remote.kill();

        assertThat(verdict("/docs,b:docs/_search?q=text:de")).isEqualTo(Verdict.PARTIAL);
        assertThat(verdict("/b:docs/_search?q=text:de")).isEqualTo(Verdict.PARTIAL);
        assertThat(verdict("/docs,b:docs/_search?ccs_minimize_roundtrips=false"))
                .isEqualTo(Verdict.PARTIAL);
        assertThat(verdict("/docs,b:docs/_search?size=0")).isEqualTo(Verdict.NO_LIST);
        assertThat(verdict("/docs,b:docs/_search?q=text:de" + SHOWN)).isEqualTo(Verdict.UNREADABLE);
        assertThat(verdict("/docs/_search?q=text:de")).isEqualTo(Verdict.WHOLE);
    }
}
