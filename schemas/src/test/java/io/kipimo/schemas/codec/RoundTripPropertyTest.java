package io.kipimo.schemas.codec;

import static org.assertj.core.api.Assertions.assertThat;

import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

class RoundTripPropertyTest {
    @Provide
    Arbitrary<RecordArbitraries.Case<?>> cases() {
        return RecordArbitraries.cases();
    }

    @Property(seed = "4711")
    void whatIsWrittenIsReadBack(@ForAll("cases") RecordArbitraries.Case<?> any) throws Exception {
        assertReadBack(any);
    }

    private static <T> void assertReadBack(RecordArbitraries.Case<T> any) throws Exception {
        byte[] bytes = any.codec().encode(any.record());
        T read = any.codec().decode(bytes);

        assertThat(read).usingRecursiveComparison().isEqualTo(any.record());
        assertThat(any.codec().encode(read)).isEqualTo(bytes);
        assertThat(any.codec().toMessage(any.record()).toByteArray())
                .as("the bytes of the message")
                .isEqualTo(bytes);
    }
}
