package io.kipimo.otlp;

import com.fasterxml.jackson.databind.JsonNode;
import io.kipimo.otlp.SpanMatch.MatchedSpanKind;
import io.kipimo.schemas.document.DocumentSchema;
import io.kipimo.schemas.document.Section;
import io.kipimo.schemas.document.TextPattern;
import io.kipimo.sdk.internal.control.ServiceSection;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Reads rules for spans from YAML; docs/otlp.md describes the keys. */
public final class SpanRulesFile {
    private static final long HOUR_MILLIS = 3_600_000;

    private static final List<String> KINDS = Arrays.stream(MatchedSpanKind.values())
            .filter(kind -> kind != MatchedSpanKind.UNSPECIFIED)
            .map(kind -> kind.name().toLowerCase(Locale.ROOT))
            .toList();

    private SpanRulesFile() {}

    /**
     * Reads rules; an empty text gives the default rules.
     *
     * @throws io.kipimo.schemas.document.InvalidDocumentException with all problems
     */
    public static SpanRules read(String yaml) {
        return Section.read(Section.tree(yaml), Section.KeyStyle.HYPHENS, SpanRulesFile::rules);
    }

    /** Returns a JSON Schema of the file with keys, types and constants. Reading checks more than the schema. */
    public static Map<String, Object> schema() {
        return DocumentSchema.of(
                "Rules for spans of Kipimo's receiver", Section.KeyStyle.HYPHENS, SpanRulesFile::rules);
    }

    private static SpanRules rules(Section root) {
        SpanPreset preset = root.choice("preset", SpanPreset.class, SpanPreset.CONVENTIONAL);
        Optional<String> service = Optional.ofNullable(root.text("service", null));
        service.ifPresent(name -> ServiceSection.name(root, "service", name));
        SpanRulesBuilder rules = SpanRulesBuilder.builder()
                .service(service)
                .services(new LinkedHashSet<>(names(root, "services")))
                .classes(ServiceSection.classes(root))
                .classAttribute(root.text("class", "kipimo.class"))
                .variantAttribute(root.text("variant", "kipimo.variant"))
                .topK(root.whole("top-k", 0, 0, 10_000))
                .deadlineMillis((int) root.time("deadline", 0, 0, HOUR_MILLIS))
                .front(root.section("front", front -> match(front, preset.front())))
                .expected(names(root, "expected"))
                .withoutItems(root.choice(
                        "without-items",
                        SpanRules.WithoutItems.class,
                        // Its former name, which knew two of the three.
                        root.flag("complete-without-items", false)
                                ? SpanRules.WithoutItems.COMPLETE
                                : SpanRules.WithoutItems.UNKNOWN))
                .cut(attributes(root, "cut-when", Map.of()))
                .holdMillis(root.time("hold", 15_000, 1, HOUR_MILLIS))
                .traces(root.whole("traces", 20_000, 1, 10_000_000))
                .bytes(root.bytes("memory", Runtime.getRuntime().maxMemory() / 4, 1 << 10, 1L << 40));
        root.section("component", component -> rules.componentNames(component.texts("name", preset.componentNames()))
                .component(match(component, preset.component())));
        return root.section("sampling", sampling -> {
            double head = sampling.number("head", 1, 0, 1);
            if (head == 0) {
                sampling.problem("head", "is 0; allowed: above 0, at most 1");
            }
            return rules.headSampling(head)
                    .samplingRate(sampling.number("rate", 0.01, 0, 1))
                    .profilingShare(sampling.number("profiling-share", 0.1, 0, 1))
                    .build();
        });
    }

    private static List<String> names(Section root, String key) {
        List<String> names = root.texts(key, List.of());
        names.forEach(name -> ServiceSection.name(root, key, name));
        return names;
    }

    private static SpanMatch match(Section section, SpanMatch d) {
        Set<MatchedSpanKind> kinds = EnumSet.noneOf(MatchedSpanKind.class);
        if (section.has("kinds")) {
            for (String word : section.words("kinds", KINDS)) {
                kinds.add(MatchedSpanKind.valueOf(word.toUpperCase(Locale.ROOT)));
            }
        } else {
            kinds.addAll(d.kinds());
        }
        return new SpanMatch(
                kinds,
                section.has("names")
                        ? section.texts("names", List.of()).stream()
                                .map(TextPattern::new)
                                .toList()
                        : d.names(),
                attributes(section, "attributes", d.attributes()));
    }

    /** Reads a mapping from attributes to a pattern, or to a list of alternative patterns. */
    private static Map<String, List<TextPattern>> attributes(
            Section section, String key, Map<String, List<TextPattern>> orElse) {
        Optional<Map<String, JsonNode>> values = section.values(key);
        if (values.isEmpty()) {
            return orElse;
        }
        Map<String, List<TextPattern>> attributes = new LinkedHashMap<>();
        values.get().forEach((attribute, value) -> {
            List<TextPattern> patterns = new ArrayList<>();
            if (value.isValueNode() && !value.isNull()) {
                patterns.add(new TextPattern(value.asText()));
            }
            value.forEach(one -> patterns.add(new TextPattern(one.asText())));
            if (patterns.isEmpty() || value.isObject()) {
                section.refuse(key + '.' + attribute, value, "a text, or a list of texts, with * for any characters");
            }
            attributes.put(attribute, patterns);
        });
        return attributes;
    }
}
