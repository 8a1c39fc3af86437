package io.kipimo.schemas.document;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class DocumentSchemaTest {
    /** A reader that takes other keys depending on a choice, and a section only if it is there. */
    private static void read(Map<String, Object> document, MappingShape shape) {
        shape.visit();
        shape.need("kind");
        shape.choice("kind", List.of("round", "square"));
        if ("square".equals(document.get("kind"))) {
            shape.need("side");
            shape.number("side", false, 0, 10);
        }
        shape.key("paint");
        if (document.containsKey("paint")) {
            MappingShape paint = shape.mapping("paint");
            paint.visit();
            paint.need("colour");
            paint.text("colour");
        }
    }

    @Test
    @SuppressWarnings("unchecked") // Schemas are maps by text.
    void hasTheKeysOfEveryChoiceAndOfSectionsThatMayBeMissing() {
        Map<String, Object> schema = DocumentSchema.of("a shape", DocumentSchemaTest::read);

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
        assertThat(DocumentSchema.of("a shape", DocumentSchemaTest::read)).containsEntry("required", List.of("kind"));
    }

    @Test
    void aReaderThatAsksForEverNewKeysIsAnError() {
        AtomicInteger next = new AtomicInteger();

        assertThatThrownBy(() ->
                        DocumentSchema.of("endless", (document, shape) -> shape.flag("key-" + next.incrementAndGet())))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("endless");
    }
}
