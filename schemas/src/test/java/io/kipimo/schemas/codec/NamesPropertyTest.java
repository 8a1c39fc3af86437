package io.kipimo.schemas.codec;

import static org.assertj.core.api.Assertions.assertThat;

import io.kipimo.schemas.field.Names;
import io.kipimo.schemas.quality.Items;
import io.kipimo.schemas.quality.PartialResult;
import io.kipimo.schemas.quality.PartialResultBuilder;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** Readers accept every text that {@link Names} has mended. */
class NamesPropertyTest {
    private static final PartialResult GOLDEN =
            SampleRecords.of(Codecs.PARTIAL_RESULT).get(0);

    /** All code units: also halves of surrogate pairs, controls, and more than fits. */
    @Provide
    Arbitrary<String> texts() {
        Arbitrary<Character> odd = Arbitraries.of('/', '\0', '\u009b', '\u007f', '\ud83d', '\ude00', '\u202e', 'a');
        return Arbitraries.oneOf(Arbitraries.chars(), odd)
                .array(char[].class)
                .ofMinSize(1)
                .ofMaxSize(600)
                .map(String::new);
    }

    @Property(seed = "20261126")
    void mendedTextsAreReadAsTheyAre(@ForAll("texts") String text) throws Exception {
        PartialResult sent = PartialResultBuilder.builder(GOLDEN)
                .service(Names.cleaned(text))
                .component(Names.cleaned(text))
                .server(Names.cleaned(text))
                .queryId(Names.identifier(text))
                .items(Items.ofTexts(new String[] {Names.identifier(text)}, new float[] {1}))
                .build();
        PartialResult read = Codecs.PARTIAL_RESULT.decode(Codecs.PARTIAL_RESULT.encode(sent));
        assertThat(read.component()).isEqualTo(sent.component()).isNotEmpty();
        assertThat(read.queryId()).isEqualTo(sent.queryId());
        assertThat(read.items().texts()).containsExactly(sent.items().texts());
    }

    @Property(seed = "20261126")
    void namesAreWhatReadersAccept(@ForAll("texts") String any) {
        // Protocol Buffers writes halves of surrogate pairs as question marks, with a stack trace.
        String text = any.replaceAll("[\\ud800-\\udfff]", "");
        PartialResult sent =
                PartialResultBuilder.builder(GOLDEN).component(text).build();
        byte[] bytes = Codecs.PARTIAL_RESULT.encode(sent);
        assertThat(isRead(bytes)).isEqualTo(Names.isName(text));
    }

    private static boolean isRead(byte[] bytes) {
        try {
            Codecs.PARTIAL_RESULT.decode(bytes);
            return true;
        } catch (InvalidRecordException e) {
            return false;
        }
    }
}
