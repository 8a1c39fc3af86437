package io.kipimo.schemas.quality;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.Set;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class QueryKeyTest {
    private static final String ZEROS = "0".repeat(32);

    @Property
    void anIdIsWhatItWasAndHashesAsItsText(@ForAll("ids") String id) {
        QueryKey key = new QueryKey("shop", id);

        assertThat(key.queryId()).isEqualTo(id);
        assertThat(key.toString()).isEqualTo("shop/" + id);
        // Must never change: the hash determines the subtask, and savepoints hold keys by subtask.
        assertThat(key.hashCode()).isEqualTo(31 * "shop".hashCode() + id.hashCode());
    }

    @Property
    void keysAreEqualWhereTheirTextsAre(@ForAll("ids") String one, @ForAll("ids") String other) {
        QueryKey key = new QueryKey("shop", one);

        assertThat(key.equals(new QueryKey("shop", other))).isEqualTo(one.equals(other));
        assertThat(key).isEqualTo(new QueryKey("shop", one));
        assertThat(key).isNotEqualTo(new QueryKey("mail", one));
    }

    @Test
    void aTraceIdIsFoundWhereItStands() {
        String id = "4bf92f3577b34da6a3ce929d0e0e4736";
        byte[] bytes = ("..." + id + "..").getBytes(StandardCharsets.US_ASCII);

        QueryKey key = QueryKey.ofTraceId("shop", bytes, 3);

        assertThat(key).isEqualTo(new QueryKey("shop", id));
        assertThat(key.isTraceId()).isTrue();
        assertThat(key.traceIdHigh()).isEqualTo(0x4bf92f3577b34da6L);
        assertThat(key.traceIdLow()).isEqualTo(0xa3ce929d0e0e4736L);
        assertThat(QueryKey.ofTraceId("shop", bytes, 2)).isNull();
    }

    /** Ids with one hash under one salt have others under another. */
    @Test
    void nobodyCanChooseIdsThatCollideWithoutTheSalt() {
        Set<Long> hashes = new HashSet<>();
        for (int salt = 0; salt < 10; salt++) {
            for (int id = 0; id < 1_000; id++) {
                hashes.add(new QueryKey("shop", "%016x%016x".formatted(id, id)).hash(salt) >>> 32);
            }
        }
        assertThat(hashes).hasSizeGreaterThan(9_990);
        assertThat(new QueryKey("shop", "q").hash(1)).isEqualTo(new QueryKey("shop", "q").hash(1));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "4BF92F3577B34DA6A3CE929D0E0E4736",
                "4bf92f3577b34da6a3ce929d0e0e473",
                "4bf92f3577b34da6a3ce929d0e0e473g",
                "\u01344bf92f3577b34da6a3ce929d0e0e473",
                // Two chars, and one byte in Latin 1.
                "\ud83d\ude00bf92f3577b34da6a3ce929d0e0e473",
                ""
            })
    void otherIdsAreTexts(String id) {
        assertThat(new QueryKey("shop", id).isTraceId()).isFalse();
        assertThat(new QueryKey("shop", id).queryId()).isEqualTo(id);
    }

    @Test
    void nothingButZerosIsNoTraceId() {
        assertThat(new QueryKey("shop", ZEROS).isTraceId()).isFalse();
        assertThat(new QueryKey("shop", "0".repeat(31) + "1").isTraceId()).isTrue();
        assertThat(new QueryKey("shop", "1" + "0".repeat(31)).isTraceId()).isTrue();
    }

    @Provide
    Arbitrary<String> ids() {
        Arbitrary<String> traces =
                Arbitraries.strings().withChars("0123456789abcdef").ofLength(32);
        // Few digits, so that some ids are equal.
        Arbitrary<String> sparse = Arbitraries.strings().withChars("01").ofLength(32);
        return Arbitraries.oneOf(
                traces,
                sparse,
                Arbitraries.of(ZEROS, ZEROS.substring(1) + "1"),
                Arbitraries.strings().ascii().ofMinLength(1).ofMaxLength(40));
    }
}
