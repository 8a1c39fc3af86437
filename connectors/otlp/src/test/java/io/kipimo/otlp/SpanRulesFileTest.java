package io.kipimo.otlp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kipimo.schemas.document.InvalidDocumentException;
import io.kipimo.schemas.document.TextPattern;
import org.junit.jupiter.api.Test;

class SpanRulesFileTest {
    @Test
    void anEmptyFileHasTheDefaultRules() {
        SpanRules rules = SpanRulesFile.read("");

        assertThat(rules.service()).isEmpty();
        assertThat(rules.classes()).containsOnlyKeys("default");
        assertThat(rules.front().kinds()).containsExactly(SpanMatch.MatchedSpanKind.SERVER);
        assertThat(rules.component().kinds()).containsExactly(SpanMatch.MatchedSpanKind.CLIENT);
        assertThat(rules.expected()).isEmpty();
        assertThat(rules.holdMillis()).isEqualTo(15_000);
    }

    @Test
    void partsOfAPresetCanBeReplaced() {
        SpanRules rules = SpanRulesFile.read("""
                        preset: gen-ai
                        front: {kinds: [internal], names: ['ask*']}
                        component: {attributes: {a: [x, y*], b: 1}, name: [n]}
                        """);

        assertThat(rules.front().kinds()).containsExactly(SpanMatch.MatchedSpanKind.INTERNAL);
        assertThat(rules.front().names()).containsExactly(new TextPattern("ask*"));
        assertThat(rules.component().attributes()).containsOnlyKeys("a", "b");
        assertThat(rules.componentNames()).containsExactly("n");
    }

    @Test
    void everyProblemIsNamedWithWhatIsAllowed() {
        assertThatThrownBy(() -> SpanRulesFile.read("""
                                        preset: jaeger
                                        servce: shop
                                        front: {kinds: [servers], name: [x]}
                                        component: {attributes: {a: {}}}
                                        sampling: {head: 0}
                                        hold: soon
                                        expected: [a/b]
                                        """))
                .isInstanceOf(InvalidDocumentException.class)
                .hasMessageContaining("preset is 'jaeger'; allowed: conventional, gen-ai, openinference")
                .hasMessageContaining("servce is unknown")
                .hasMessageContaining("front.kinds has 'servers'; allowed: internal, server")
                .hasMessageContaining("front.name is unknown; allowed: kinds, names, attributes")
                .hasMessageContaining("component.attributes.a is '{}'; allowed: a text")
                .hasMessageContaining("sampling.head is 0; allowed: above 0, at most 1")
                .hasMessageContaining("hold is 'soon'; allowed: 1ms..3600000ms")
                .hasMessageContaining("expected is 'a/b'");
    }
}
