package io.kipimo.cli.schema;

import io.kipimo.cli.policy.PolicySchema;
import io.kipimo.cli.terminal.Contexts;
import io.kipimo.gateway.config.ConfigFile;
import io.kipimo.otlp.SpanRulesFile;
import io.kipimo.simulator.scenario.ScenarioReader;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** A kind of YAML file that users write. Its schema comes from the code that reads it. */
enum DocumentKind {
    POLICY("what a service wants: kipimo policy set FILE"),
    GATEWAY("configuration: kipimo gateway --config FILE"),
    OTLP("rules for spans: kipimo otlp --rules FILE"),
    CONTEXTS("saved defaults of options: ~/.config/kipimo/contexts.yaml"),
    SCENARIO("a simulated service: kipimo simulate FILE"),
    CACHING("simulated caches: kipimo simulate FILE");

    private final String description;

    DocumentKind(String description) {
        this.description = description;
    }

    String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    String description() {
        return description;
    }

    /** The JSON Schema (2020-12) of the document, as maps, lists, texts and numbers. */
    Map<String, Object> schema() {
        return switch (this) {
            case POLICY -> PolicySchema.document();
            case GATEWAY -> ConfigFile.schema();
            case OTLP -> SpanRulesFile.schema();
            case CONTEXTS -> Contexts.schema();
            case SCENARIO -> ScenarioReader.schema();
            case CACHING -> ScenarioReader.cachingSchema();
        };
    }

    static Optional<DocumentKind> named(String word) {
        return Arrays.stream(values()).filter(kind -> kind.word().equals(word)).findFirst();
    }

    static List<String> words() {
        return Arrays.stream(values()).map(DocumentKind::word).toList();
    }
}
