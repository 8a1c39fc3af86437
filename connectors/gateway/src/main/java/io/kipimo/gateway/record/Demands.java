package io.kipimo.gateway.record;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.core.json.JsonReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.kipimo.gateway.config.IndexConfig;
import io.kipimo.gateway.config.ItemsConfig;
import io.kipimo.gateway.config.RequestRule;
import io.kipimo.gateway.config.RequestRule.Shows;
import io.kipimo.gateway.config.RequestSign;
import io.kipimo.gateway.grpc.GrpcMessages;
import io.kipimo.gateway.http.ContentCodings;
import io.kipimo.gateway.http.Parameters;
import io.kipimo.gateway.index.IndexFacts;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Determines what the answers to the requests of an engine's listener must have. */
final class Demands {
    /** Reads JSON leniently, as engines do. */
    private static final ObjectMapper JSON = JsonMapper.builder()
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .enable(
                    JsonReadFeature.ALLOW_UNQUOTED_FIELD_NAMES,
                    JsonReadFeature.ALLOW_SINGLE_QUOTES,
                    JsonReadFeature.ALLOW_JAVA_COMMENTS,
                    JsonReadFeature.ALLOW_YAML_COMMENTS,
                    JsonReadFeature.ALLOW_TRAILING_COMMA)
            .build();

    /** Parameters for the query and its default field. */
    private static final Set<String> PARAMETERS = Set.of("q", "df");

    private final List<String> bodies;
    private final List<DemandRule> rules;
    private final Optional<IndexConfig> index;
    private final List<DemandSign> askedBy;
    private final Optional<GrpcMessages> messages;
    private final boolean isMonitored;
    private final boolean hidesCuts;

    /** A rule with its tests. */
    private record DemandRule(List<DemandSign> when, RequestRule rule) {
        boolean holds(DecodedRequest request) {
            return when.stream().allMatch(sign -> sign.isIn(request));
        }
    }

    private record DemandSign(Values values, Predicate<String> accepts) {
        boolean isIn(DecodedRequest request) {
            boolean[] found = {false};
            values.of(request, value -> found[0] |= accepts.test(value));
            return found[0];
        }
    }

    /** Reads some values of a request. */
    private interface Values {
        void of(DecodedRequest request, Consumer<String> to);
    }

    /** A request, decoded. */
    private record DecodedRequest(String path, List<Map.Entry<String, String>> parameters, List<JsonNode> bodies) {}

    /**
     * @param index how indexes are read; empty: they are not read
     * @param messages of a listener whose queries are gRPC calls; empty: they are not
     * @param isMonitored whether whole answers are also run again, which measures approximate search
     */
    Demands(ItemsConfig config, Optional<IndexConfig> index, Optional<GrpcMessages> messages, boolean isMonitored) {
        this.messages = messages;
        this.index = index;
        this.askedBy = index.stream()
                .flatMap(one -> one.askedBy().stream())
                .map(Demands::sign)
                .toList();
        this.bodies = config.bodies();
        this.isMonitored = isMonitored;
        this.hidesCuts = config.hidesCuts();
        this.rules = config.requests().stream()
                .map(rule ->
                        new DemandRule(rule.when().stream().map(Demands::sign).toList(), rule))
                .toList();
    }

    private static DemandSign sign(RequestSign sign) {
        return new DemandSign(values(sign.name()), sign.accepts());
    }

    private static Values values(String name) {
        if (name.equals(RequestSign.PATH)) {
            return (request, to) -> to.accept(request.path());
        }
        if (name.startsWith("//")) {
            Predicate<String> isField = named(name.substring(2));
            return (request, to) -> request.bodies()
                    .forEach(body -> walk(body, (key, value) -> {
                        if (isField.test(key)) {
                            to.accept(text(value));
                        }
                    }));
        }
        if (name.startsWith("/")) {
            JsonPointer pointer = JsonPointer.compile(name);
            return (request, to) -> request.bodies().stream()
                    .map(body -> body.at(pointer))
                    .filter(value -> !value.isMissingNode() && !value.isNull())
                    .forEach(value -> to.accept(text(value)));
        }
        Predicate<String> isNamed = named(name);
        return (request, to) -> {
            for (Map.Entry<String, String> parameter : request.parameters()) {
                if (isNamed.test(parameter.getKey())) {
                    to.accept(parameter.getValue());
                }
            }
            for (JsonNode body : request.bodies()) {
                body.properties().forEach(field -> {
                    if (isNamed.test(field.getKey()) && !field.getValue().isNull()) {
                        to.accept(text(field.getValue()));
                    }
                });
            }
        };
    }

    /** Tests names against a pattern in which {@code *} is any text. It ignores the case, as some engines do. */
    private static Predicate<String> named(String glob) {
        String regex = Arrays.stream(glob.split("\\*", -1)).map(Pattern::quote).collect(Collectors.joining(".*"));
        return Pattern.compile(regex, Pattern.CASE_INSENSITIVE | Pattern.DOTALL).asMatchPredicate();
    }

    private static String text(JsonNode value) {
        return value.isValueNode() ? value.asText() : value.toString();
    }

    /** Visits all fields, also those within lists. An element of a list has an empty name. */
    private static void walk(JsonNode node, BiConsumer<String, JsonNode> to) {
        node.properties().forEach(field -> visit(field.getKey(), field.getValue(), to));
        if (node.isArray()) {
            node.forEach(element -> visit("", element, to));
        }
    }

    private static void visit(String name, JsonNode value, BiConsumer<String, JsonNode> to) {
        if (!value.isNull()) {
            to.accept(name, value);
            walk(value, to);
        }
    }

    /**
     * Determines what the answer to a request must have.
     *
     * @param target path and query
     * @param codings values of the header of content codings
     * @param isForm whether the body is a form
     * @param body empty: none
     * @param facts what is known of the index that is asked
     * @param mostBytes greatest size of the unpacked body
     */
    Demand of(String target, List<String> codings, boolean isForm, byte[] body, IndexFacts facts, int mostBytes) {
        if (rules.isEmpty() && !hidesCuts && index.isEmpty() && messages.isEmpty()) {
            return Demand.NONE;
        }
        Set<String> needs = new LinkedHashSet<>();
        Shows shows = hidesCuts ? Shows.NOTHING : Shows.ALL;
        boolean isKnown = true;
        int mark = target.indexOf('?');
        List<Map.Entry<String, String>> parameters =
                new ArrayList<>(Parameters.all(mark < 0 ? "" : target.substring(mark + 1)));
        List<JsonNode> trees = new ArrayList<>();
        try {
            byte[] plain = messages.isPresent()
                    ? messages.get().request(target, codings, body, mostBytes)
                    : ContentCodings.undo(codings, body, mostBytes);
            if (isForm && !isJson(plain)) {
                parameters.addAll(Parameters.all(new String(plain, StandardCharsets.UTF_8)));
            } else if (plain.length > 0) {
                trees.add(JSON.readTree(plain));
            }
            for (Map.Entry<String, String> parameter : parameters) {
                if (bodies.contains(parameter.getKey())) {
                    trees.add(JSON.readTree(parameter.getValue()));
                }
            }
        } catch (IOException | IllegalArgumentException e) {
            isKnown = false;
        }
        String path = Parameters.decoded((mark < 0 ? target : target.substring(0, mark)).replace("+", "%2B"));
        DecodedRequest request = new DecodedRequest(path, parameters, trees);
        for (DemandRule rule : rules) {
            if (rule.holds(request)) {
                needs.addAll(rule.rule().needs());
                Shows one = rule.rule().shows();
                if (one.compareTo(shows) > 0 && !(one == Shows.APPROXIMATE && isMonitored)) {
                    shows = one;
                }
            }
        }
        String call = messages.isPresent() ? target : "";
        boolean asksByType = !isMonitored && askedBy.stream().anyMatch(sign -> sign.isIn(request));
        if (asksByType && asksVectors(request, facts) && shows.compareTo(Shows.APPROXIMATE) < 0) {
            shows = Shows.APPROXIMATE;
        }
        boolean matters =
                asksByType || index.filter(one -> !one.hidesWhen().isEmpty()).isPresent();
        if (matters && !facts.isKnown()) {
            return new Demand(
                    List.copyOf(needs), shows, "what its index hides is not known: it " + facts.unknown(), call, false);
        }
        String hidden = facts.hides().isEmpty()
                ? ""
                : "its index hides results from every search, as '" + facts.hides() + "' says";
        return new Demand(List.copyOf(needs), shows, hidden, call, isKnown);
    }

    /** Converts the answer to a gRPC call to JSON. */
    RecordedResponse answer(String call, RecordedResponse response, int mostBytes) {
        return new RecordedResponse(
                response.status(),
                List.of(),
                messages.orElseThrow()
                        .answer(call, response.values(GrpcMessages.ENCODING), response.body(), mostBytes));
    }

    private static boolean asksVectors(DecodedRequest request, IndexFacts facts) {
        if (facts.vectors().isEmpty()) {
            return false;
        }
        List<String> texts = request.parameters().stream()
                .filter(parameter -> PARAMETERS.contains(parameter.getKey()))
                .map(Map.Entry::getValue)
                .toList();
        boolean namesDefault = request.parameters().stream()
                .anyMatch(parameter -> parameter.getKey().equals("df"));
        return request.bodies().stream().anyMatch(body -> facts.vectors().areIn(body))
                || (!texts.isEmpty() && facts.vectors().areIn(texts, namesDefault));
    }

    /**
     * Whether a body begins like a JSON object. Some engines read JSON even with the content type of a form, which curl
     * sends.
     */
    private static boolean isJson(byte[] body) {
        for (byte one : body) {
            if (!Character.isWhitespace(one)) {
                return one == '{';
            }
        }
        return false;
    }
}
