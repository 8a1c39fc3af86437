package io.kipimo.schemas.document;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class DocumentSchemaTest {
    /** A reader that takes other keys depending on a choice, and a section only if it is there. */
    private static String read(Section document) {
        String kind = document.neededChoice("kind", List.of("round", "square"));
        if (kind.equals("square")) {
            double unused = document.number("side", 0, 10);
        }
        document.optional("paint", paint -> paint.needed("colour", "a colour"));
        return kind;
    }

    private static Map<String, Object> schema() {
        return DocumentSchema.of("a shape", Section.KeyStyle.HYPHENS, DocumentSchemaTest::read);
    }

    @Test
    @SuppressWarnings("unchecked") // Schemas are maps by text.
    void hasTheKeysOfEveryChoiceAndOfSectionsThatMayBeMissing() {
        Map<String, Object> schema = schema();

        Map<String, Object> keys = (Map<String, Object>) schema.get("properties");
        assertThat(keys).containsOnlyKeys("kind", "side", "paint");
        assertThat(keys.get("kind")).isEqualTo(Map.of("enum", List.of("round", "square")));
        assertThat(keys.get("side")).isEqualTo(Map.of("type", "number", "minimum", 0L, "maximum", 10L));
        assertThat(schema).containsEntry("additionalProperties", false);
        Map<String, Object> paint = (Map<String, Object>) keys.get("paint");
        assertThat(paint).containsEntry("required", List.of("colour"));
    }

    @Test
    void requiresOnlyWhatEveryDocumentNeeds() {
        assertThat(schema()).containsEntry("required", List.of("kind"));
    }

    @Test
    void aReaderThatAsksForEverNewKeysIsAnError() {
        AtomicInteger next = new AtomicInteger();

        assertThatThrownBy(() -> DocumentSchema.of(
                        "endless",
                        Section.KeyStyle.HYPHENS,
                        document -> document.flag("key-" + next.incrementAndGet(), false)))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("endless");
    }
}
