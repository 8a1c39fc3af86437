package io.kipimo.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.kipimo.core.Effort;
import io.kipimo.gateway.config.ConfigFile;
import io.kipimo.gateway.config.GatewayConfig;
import io.kipimo.gateway.record.ItemReaders;
import io.kipimo.schemas.document.YamlDocument;
import io.kipimo.schemas.quality.Answer;
import io.kipimo.schemas.quality.AnswerKind;
import io.kipimo.schemas.quality.Outcome;
import io.kipimo.sdk.CompletenessClient;
import io.kipimo.sdk.internal.control.SettableControl;
import io.vertx.core.http.HttpServerRequest;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Documented answers of all engines through the gateway, each also as the engine gives it under the parameters that
 * hide its signs: none is called better than it is, and a whole one is called whole. The answers and their sources are
 * in {@code src/test/resources/engine-corpus}.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class EngineCorpusTest {
    private static final Path CORPUS = Path.of("src", "test", "resources", "engine-corpus");
    private static final Path PAGE = Path.of("..", "..", "docs", "engines", "corpus.md");
    private static final ObjectMapper JSON = new ObjectMapper();

    /** What becomes of an answer. */
    enum Verdict {
        /** Quality 1 by the engine's own word. */
        WHOLE,
        /** Something is missing; a replay shows how much. */
        PARTIAL,
        NO_LIST,
        UNREADABLE,
        FAILED,
        /** It is no query that is measured. */
        PASSED
    }

    /**
     * An answer to a request, and what is right.
     *
     * @param hiddenBy the parameter that hides its signs; empty: none
     */
    record Case(
            String engine,
            String listener,
            String name,
            String source,
            String hiddenBy,
            String method,
            String target,
            String type,
            String body,
            int status,
            String answer,
            Verdict verdict) {
        boolean hides() {
            return !hiddenBy.isEmpty();
        }

        @Override
        public String toString() {
            return engine + ": " + name + (hides() ? ", " + hiddenBy : "");
        }
    }

    private final SettableControl control = new SettableControl();
    private final HttpClient http =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final Set<String> known = new HashSet<>();

    /** How many requests passed each listener, as far as a case has waited for it: the metrics page is dear. */
    private final Map<String, Double> passed = new HashMap<>();

    private volatile Case asked;
    private String told;
    private Upstream upstream;
    private Gateway gateway;

    @BeforeAll
    void start() throws Exception {
        upstream = Upstream.start(this::answer);
        StringBuilder listeners = new StringBuilder();
        for (JsonNode file : files()) {
            String engine = file.path("engine").asText();
            for (Map.Entry<String, JsonNode> one : file.path("listeners").properties()) {
                listeners.append("""
                    - name: %s-%s
                      role: front
                      engine: %s
                      tell: true
                      listen: '127.0.0.1:0'
                      servers: ['127.0.0.1:%d']
                    """.formatted(engine, one.getKey(), engine, upstream.port()));
                listeners.append(one.getValue().asText().indent(2));
            }
        }
        GatewayConfig config =
                ConfigFile.read("service: shop\nthreads: 1\nadmin: 127.0.0.1:0\nlisteners:\n" + listeners, null, "gw");
        gateway = Gateway.start(config, control, ItemReaders.of(config));
        control.samplingRate = 1;
    }

    @AfterAll
    void stop() throws Exception {
        gateway.close();
        upstream.close();
    }

    private void answer(HttpServerRequest request) {
        request.body().onSuccess(body -> {
            if (isOfIndex(request)) {
                request.response().end("{}");
            } else {
                request.response().setStatusCode(asked.status()).end(asked.answer());
            }
        });
    }

    /** The gateway reads what the index hides: nothing. */
    private static boolean isOfIndex(HttpServerRequest request) {
        return request.path().endsWith("/_mapping")
                || (request.method().name().equals("GET") && request.path().matches("/collections/[^/]+"));
    }

    private static List<JsonNode> files() {
        try (Stream<Path> files = Files.list(CORPUS)) {
            List<JsonNode> all = new ArrayList<>();
            for (Path file : (Iterable<Path>) files.sorted()::iterator) {
                all.add(YamlDocument.read(Files.readString(file)));
            }
            return all;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static List<Case> cases() {
        List<Case> all = new ArrayList<>();
        for (JsonNode file : files()) {
            for (JsonNode one : file.path("cases")) {
                Case plain = plain(file, one);
                all.add(plain);
                for (JsonNode hiding : file.path("hiding")) {
                    hidden(plain, hiding).ifPresent(all::add);
                }
            }
        }
        return all;
    }

    /** Each documented answer; under each parameter a few of each verdict, and all of them with {@code -Pfull}. */
    static List<Case> tried() {
        Map<List<Object>, Integer> alike = new HashMap<>();
        return cases().stream()
                .filter(one -> !one.hides()
                        || alike.merge(List.of(one.listener(), one.hiddenBy(), one.verdict()), 1, Integer::sum)
                                <= Effort.of(2, Integer.MAX_VALUE))
                .toList();
    }

    private static Case plain(JsonNode file, JsonNode one) {
        String[] request = one.path("request").asText().split(" ", 2);
        JsonNode body = one.path("body");
        JsonNode answer = file.path("answers").path(one.path("answer").asText()).deepCopy();
        if (answer.isMissingNode()) {
            answer = one.path("answer");
        }
        for (Map.Entry<String, JsonNode> set : one.path("with").properties()) {
            set(answer, JsonPointer.compile(set.getKey()), set.getValue());
        }
        for (JsonNode without : one.path("without")) {
            remove(answer, without.asText());
        }
        String source = one.path("source").asText();
        return new Case(
                file.path("engine").asText(),
                file.path("engine").asText() + "-" + one.path("on").asText("plain"),
                one.path("name").asText(),
                file.path("sources").path(source).asText(source),
                "",
                request[0],
                request[1],
                one.path("type").asText("application/json"),
                body.isMissingNode() ? "" : body.isTextual() ? body.asText() : body.toString(),
                one.path("status").asInt(200),
                answer.isTextual() ? answer.asText() : answer.toString(),
                Verdict.valueOf(one.path("verdict").asText()));
    }

    /** Empty: there is nothing that the parameter hides. */
    private static Optional<Case> hidden(Case plain, JsonNode hiding) {
        if (plain.verdict() == Verdict.FAILED || plain.verdict() == Verdict.PASSED) {
            return Optional.empty();
        }
        String answer = hiding.path("answer").asText();
        Verdict verdict = hiding.path("verdict").asText().equals("SAME") ? plain.verdict() : Verdict.UNREADABLE;
        if (answer.isEmpty()) {
            JsonNode tree = tree(plain.answer());
            JsonNode before = tree.deepCopy();
            hiding.path("removes").forEach(pointer -> remove(tree, pointer.asText()));
            if (tree.equals(before)) {
                return Optional.empty();
            }
            answer = tree.toString();
        }
        String parameter = hiding.path("parameter").asText();
        return Optional.of(new Case(
                plain.engine(),
                plain.listener(),
                plain.name(),
                plain.source(),
                parameter,
                plain.method(),
                // What is no parameter is done on the way.
                parameter.indexOf(' ') >= 0
                        ? plain.target()
                        : plain.target() + (plain.target().indexOf('?') < 0 ? '?' : '&') + parameter,
                plain.type(),
                plain.body(),
                plain.status(),
                answer,
                verdict));
    }

    private static JsonNode tree(String json) {
        try {
            return JSON.readTree(json);
        } catch (IOException e) {
            return JSON.nullNode();
        }
    }

    private static void set(JsonNode tree, JsonPointer pointer, JsonNode value) {
        JsonNode parent = tree;
        JsonPointer rest = pointer;
        while (!rest.tail().matches()) {
            parent = ((ObjectNode) parent).withObjectProperty(rest.getMatchingProperty());
            rest = rest.tail();
        }
        ((ObjectNode) parent).set(rest.getMatchingProperty(), value);
    }

    /** {@code *} stands for every element of a list. */
    private static void remove(JsonNode tree, String pointer) {
        int star = pointer.indexOf("/*");
        if (star >= 0) {
            JsonNode list = tree.at(pointer.substring(0, star));
            if (list instanceof ArrayNode) {
                list.forEach(one -> remove(one, pointer.substring(star + 2)));
            }
            return;
        }
        JsonPointer path = JsonPointer.compile(pointer);
        if (tree.at(path.head()) instanceof ObjectNode parent) {
            parent.remove(path.last().getMatchingProperty());
        }
    }

    /** An index, which the path names, is known only after its first query. */
    private Verdict verdictOfKnown(Case one) throws Exception {
        String path = one.target().split("\\?", 2)[0];
        if (known.add(one.listener() + path)) {
            String indexes = "kipimo_gateway_indexes{listener=\"" + one.listener() + "\"";
            if (gateway.metrics().contains(indexes)) {
                var unused = verdict(one);
                await("index")
                        .pollDelay(Duration.ZERO)
                        .until(() -> Metrics.of(gateway, indexes + ",state=\"unknown\"}") == 0);
            }
        }
        return verdict(one);
    }

    private Verdict verdict(Case one) throws Exception {
        asked = one;
        control.answers.clear();
        HttpRequest.Builder request = HttpRequest.newBuilder(
                        URI.create("http://127.0.0.1:" + gateway.ports().get(one.listener()) + one.target()))
                .method(
                        one.method(),
                        one.body().isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(one.body()));
        if (!one.body().isEmpty()) {
            request.header("content-type", one.type());
        }
        told = http.send(request.build(), BodyHandlers.ofString())
                .headers()
                .firstValue(CompletenessClient.HEADER)
                .orElse("");
        await(one.toString())
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(2))
                .until(() -> !control.answers.isEmpty() || hasPassed(one.listener()));
        return control.answers.isEmpty() ? Verdict.PASSED : verdict(control.answers.get(0));
    }

    private boolean hasPassed(String listener) {
        double now = Metrics.of(gateway, "kipimo_gateway_passed_total{listener=\"" + listener + "\"}");
        double before = passed.getOrDefault(listener, 0.0);
        passed.put(listener, now);
        return now > before;
    }

    private static Verdict verdict(Answer answer) {
        assertThat(answer.kind()).isEqualTo(AnswerKind.ONLINE);
        if (answer.unmeasurable().isPresent()) {
            return switch (answer.unmeasurable().get()) {
                case NO_LIST -> Verdict.NO_LIST;
                case UNREADABLE -> Verdict.UNREADABLE;
                case FAILED_ANSWER -> Verdict.FAILED;
                default -> throw new AssertionError(answer.toString());
            };
        }
        return answer.invocations().stream().allMatch(i -> i.outcome() == Outcome.IN_TIME)
                ? Verdict.WHOLE
                : Verdict.PARTIAL;
    }

    @ParameterizedTest
    @MethodSource("tried")
    void anAnswerIsCalledWhatItIs(Case one) throws Exception {
        assertThat(verdictOfKnown(one))
                .as("%s %s %s -> %s (%s)", one, one.target(), one.body(), one.answer(), one.source())
                .isEqualTo(one.verdict());
        switch (one.verdict()) {
            case WHOLE -> assertThat(told).isEqualTo("whole");
            case PASSED -> assertThat(told).isEmpty();
            case FAILED -> assertThat(told).isEqualTo("unknown");
            // A cut without a list, or under a parameter that hides more, is a cut.
            case PARTIAL, NO_LIST, UNREADABLE -> assertThat(told).matches("unknown|cut(;share=0\\.\\d\\d)?");
        }
    }

    @Test
    void thePageHasTheTableOfTheCorpus() throws Exception {
        List<Case> all = cases();
        Map<String, Map<Verdict, Integer>> counts = new TreeMap<>();
        Map<String, Integer> hidden = new TreeMap<>();
        for (Case one : all) {
            assertThat(one.source()).as(one.toString()).startsWith("https://");
            counts.computeIfAbsent(one.engine(), engine -> new EnumMap<>(Verdict.class))
                    .merge(one.verdict(), 1, Integer::sum);
            hidden.merge(one.engine(), one.hides() ? 1 : 0, Integer::sum);
        }
        StringBuilder table = new StringBuilder("| engine | answers | of them under hiding parameters |");
        StringBuilder rule = new StringBuilder("|---|---|---|");
        for (Verdict verdict : Verdict.values()) {
            table.append(' ').append(verdict.name().toLowerCase(Locale.ROOT)).append(" |");
            rule.append("---|");
        }
        table.append('\n').append(rule).append('\n');
        counts.forEach((engine, verdicts) -> {
            int sum = verdicts.values().stream().mapToInt(Integer::intValue).sum();
            table.append("| %s | %d | %d |".formatted(engine, sum, hidden.get(engine)));
            for (Verdict verdict : Verdict.values()) {
                table.append(' ').append(verdicts.getOrDefault(verdict, 0)).append(" |");
            }
            table.append('\n');
        });
        String page = Files.readString(PAGE);
        if (Boolean.getBoolean("golden.write")) {
            Files.writeString(PAGE, page.replaceAll("(?s)\\| engine \\|.*?\n(?=\n|$)", table.toString()));
        }
        assertThat(Files.readString(PAGE)).contains(table);
        assertThat(all.stream().filter(one -> !one.hides()).count()).isGreaterThanOrEqualTo(150);
    }
}
