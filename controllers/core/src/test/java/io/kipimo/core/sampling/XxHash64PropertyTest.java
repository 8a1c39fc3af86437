package io.kipimo.core.sampling;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.Size;
import net.openhft.hashing.LongHashFunction;

class XxHash64PropertyTest {
    @Property(seed = "64")
    void equalsAnotherImplementation(@ForAll @Size(max = 200) byte[] bytes, @ForAll long seed) {
        assertThat(XxHash64.hash(bytes, seed))
                .isEqualTo(LongHashFunction.xx(seed).hashBytes(bytes));
    }

    @Property(seed = "64")
    void ofATextIsThatOfItsUtf8(@ForAll String text, @ForAll long seed) {
        assertThat(XxHash64.hash(text, seed)).isEqualTo(XxHash64.hash(text.getBytes(StandardCharsets.UTF_8), seed));
    }
}
