package io.kipimo.gateway.proxy;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.kipimo.gateway.config.FanOutConfig;
import io.kipimo.gateway.config.FanOutConfig.ShardChoice;
import io.kipimo.gateway.http.ContentCodings;
import io.kipimo.gateway.http.Parameters;
import io.kipimo.schemas.quality.Features;
import io.vertx.core.MultiMap;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.regex.Pattern;

/** Reads a query's features from its request, and writes the components to ask into its target. */
final class AskedComponents {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Pattern BETWEEN_WORDS = Pattern.compile("[^\\p{L}\\p{N}]+");

    private AskedComponents() {}

    /**
     * Features of a query: those that its caller states, and the words of the configured parameters and fields.
     *
     * @param stated by the caller
     * @param body null: none
     * @param mostBytes greatest size of the unpacked body
     * @return empty: the request chooses its components itself, or it cannot be told whether it does
     */
    static Optional<Features> features(
            FanOutConfig config, Features stated, String target, MultiMap headers, Buffer body, int mostBytes) {
        int mark = target.indexOf('?');
        String query = mark < 0 ? "" : target.substring(mark + 1);
        Optional<ShardChoice> choice = config.rewrite();
        Set<String> words = new LinkedHashSet<>();
        boolean choosesItself = takeParameters(config, query, words);
        if (body != null && body.length() > 0) {
            byte[] plain;
            try {
                plain = ContentCodings.undo(headers.getAll(ContentCodings.HEADER), body.getBytes(), mostBytes);
            } catch (RuntimeException e) {
                // Whatever the body says of components is unknown, too.
                return Optional.empty();
            }
            if (Parameters.isForm(headers.get(HttpHeaders.CONTENT_TYPE))) {
                String form = new String(plain, StandardCharsets.UTF_8);
                choosesItself |= takeParameters(config, form, words);
            } else if (choice.isPresent() || !config.fields().isEmpty()) {
                choosesItself |= takeFields(config, plain, words);
            }
        }
        if (choosesItself) {
            return Optional.empty();
        }
        long[] hashes = stated.hashes();
        long[] own = Features.ofTexts(words).hashes();
        long[] all = new long[hashes.length + own.length];
        System.arraycopy(hashes, 0, all, 0, hashes.length);
        System.arraycopy(own, 0, all, hashes.length, own.length);
        return Optional.of(Features.of(all));
    }

    /**
     * Adds words of parameters.
     *
     * @return whether the request chooses its components itself
     */
    private static boolean takeParameters(FanOutConfig config, String parameters, Set<String> words) {
        for (String name : config.parameters()) {
            Parameters.values(parameters, name).forEach(text -> addWords(text, words::add));
        }
        return config.rewrite().isPresent()
                && !Parameters.values(parameters, config.rewrite().get().parameter())
                        .isEmpty();
    }

    /**
     * Adds words of a JSON body.
     *
     * @return whether the body chooses the components itself, at its top level or in Solr's {@code params}, or may do
     *     so because it is not JSON
     */
    private static boolean takeFields(FanOutConfig config, byte[] body, Set<String> words) {
        JsonNode tree;
        try {
            tree = JSON.readTree(body);
        } catch (IOException e) {
            return config.rewrite().isPresent();
        }
        for (String field : config.fields()) {
            addTexts(tree.at(JsonPointer.compile(field)), text -> addWords(text, words::add));
        }
        return config.rewrite().isPresent()
                && (tree.has(config.rewrite().get().parameter())
                        || tree.path("params").has(config.rewrite().get().parameter()));
    }

    private static void addTexts(JsonNode node, Consumer<String> to) {
        if (node.isValueNode()) {
            to.accept(node.asText());
        } else {
            node.forEach(part -> addTexts(part, to));
        }
    }

    private static void addWords(String text, Consumer<String> to) {
        for (String word : BETWEEN_WORDS.split(text.toLowerCase(Locale.ROOT))) {
            if (!word.isEmpty()) {
                to.accept(word);
            }
        }
    }

    /** The target with a parameter that names the components to ask. */
    static String target(String target, FanOutConfig config, List<String> asked) {
        ShardChoice choice = config.rewrite().orElseThrow();
        List<String> known = new ArrayList<>(config.components().keySet());
        known.retainAll(asked);
        return target
                + (target.indexOf('?') < 0 ? '?' : '&')
                + choice.parameter()
                + '='
                + URLEncoder.encode(config.value(known), StandardCharsets.UTF_8);
    }
}
