package io.kipimo.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.kipimo.gateway.config.ConfigFile;
import io.kipimo.gateway.config.GatewayConfig;
import io.kipimo.gateway.record.ItemReaders;
import io.kipimo.schemas.quality.Unmeasurable;
import io.kipimo.sdk.internal.control.SettableControl;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What an engine's API tells of an index decides what its answers show. */
class IndexReadingTest {
    private static final String HITS = "{\"timed_out\":false,\"_shards\":{\"total\":2,\"successful\":2,\"failed\":0},"
            + "\"hits\":{\"hits\":[{\"_index\":\"songs\",\"_id\":\"a\",\"_score\":10}]}}";
    private static final String POINTS =
            "{\"result\":{\"points\":[{\"id\":42,\"score\":0.9}]},\"status\":\"ok\",\"time\":0.001}";
    private static final String MATCH = "{\"query\":{\"match\":{\"lyric\":\"a sign\"}}}";

    private final SettableControl control = new SettableControl();
    private final List<String> read = new CopyOnWriteArrayList<>();
    private final HttpClient http =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private Upstream upstream;
    private Gateway gateway;

    @AfterEach
    void stop() throws Exception {
        gateway.close();
        upstream.close();
    }

    /** @param facts what the engine's API says; empty: it is not allowed */
    private void start(String engine, String facts, String answer) throws Exception {
        upstream = Upstream.start(request -> request.body().onSuccess(body -> {
            if (request.method().name().equals("GET")) {
                read.add(request.uri() + " of " + request.getHeader("authorization"));
                request.response().setStatusCode(facts.isEmpty() ? 403 : 200).end(facts.replace('\'', '"'));
            } else {
                request.response().end(answer);
            }
        }));
        GatewayConfig config = ConfigFile.read("""
            service: shop
            threads: 1
            admin: 127.0.0.1:0
            listeners:
              - name: front
                role: front
                engine: %s
                listen: '127.0.0.1:0'
                servers: ['127.0.0.1:%d']
                replay: {budget: 0}
            """.formatted(engine, upstream.port()), null, "gw");
        gateway = Gateway.start(config, control, ItemReaders.of(config));
        control.samplingRate = 1;
    }

    private Optional<Unmeasurable> ask(String target, String body) throws Exception {
        int before = control.answers.size();
        var unused = http.send(
                HttpRequest.newBuilder(
                                URI.create("http://127.0.0.1:" + gateway.ports().get("front") + target))
                        .header("authorization", "me")
                        .POST(BodyPublishers.ofString(body))
                        .build(),
                BodyHandlers.ofString());
        await().until(() -> control.answers.size() > before);
        return control.answers.get(before).unmeasurable();
    }

    private void awaitRead(String state) {
        await("read")
                .until(() ->
                        Metrics.of(gateway, "kipimo_gateway_indexes{listener=\"front\",state=\"" + state + "\"}") == 1
                                && !read.isEmpty());
    }

    @Test
    void aMatchOnAFieldOfTypeSemanticTextIsApproximate() throws Exception {
        start(
                "elasticsearch",
                "{'songs':{'mappings':{'properties':{'lyric':{'type':'semantic_text'},'band':{'type':'text'}}}}}",
                HITS);
        assertThat(ask("/songs/_search", MATCH)).as("the mapping is not known").contains(Unmeasurable.UNREADABLE);
        awaitRead("known");

        assertThat(ask("/songs/_search", MATCH)).contains(Unmeasurable.UNREADABLE);
        assertThat(ask("/songs/_search", MATCH.replace("lyric", "band"))).isEmpty();
        assertThat(read).containsExactly("/songs/_mapping?filter_path=**.type,**.path of me");
    }

    /** Only what the mapping would decide stays unknown. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{\"query\":{\"term\":{\"lyric\":\"x\"}}} | true",
                "{\"query\":{\"match\":{\"lyric\":\"x\"}}} | false",
            })
    void withoutTheMappingOnlyClausesThatItDecidesAreUnknown(String body, boolean isWhole) throws Exception {
        start("elasticsearch", "", HITS);
        ask("/songs/_search", body);
        awaitRead("unknown");

        assertThat(ask("/songs/_search", body).isEmpty()).isEqualTo(isWhole);
    }

    @ParameterizedTest
    @CsvSource({"0, true", "3, false"})
    void whileACollectionHidesPointsNoAnswerIsMeasured(int deferred, boolean isMeasured) throws Exception {
        start("qdrant", "{'result':{'update_queue':{'length':0,'deferred_points':" + deferred + "}}}", POINTS);
        assertThat(ask("/collections/c/points/query", "{}")).contains(Unmeasurable.UNREADABLE);
        awaitRead("known");

        assertThat(ask("/collections/c/points/query", "{}").isEmpty()).isEqualTo(isMeasured);
        assertThat(read).containsExactly("/collections/c of me");
    }
}
