package io.kipimo.schemas.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNoException;

import io.kipimo.schemas.deadletter.RejectionReason;
import java.util.Arrays;
import java.util.Random;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** For any bytes, a codec returns a record or throws with a {@link RejectionReason}. */
class PoisonPropertyTest {
    @Provide
    Arbitrary<Codec<?>> codecs() {
        return Arbitraries.of(Codecs.all());
    }

    @Property(seed = "4711")
    void randomBytesAreReadOrRefused(@ForAll("codecs") Codec<?> codec, @ForAll byte[] bytes) {
        assertReadOrRefused(codec, bytes);
    }

    @Property(seed = "4711")
    void damagedRecordsAreReadOrRefused(@ForAll("codecs") Codec<?> codec, @ForAll long seed) {
        assertReadOrRefused(codec, damaged(codec, new Random(seed)));
    }

    @Property(seed = "4711")
    void truncatedRecordsAreReadOrRefused(@ForAll("codecs") Codec<?> codec, @ForAll long seed) {
        byte[] whole = golden(codec, new Random(seed));
        int length = new Random(seed).nextInt(whole.length);
        assertReadOrRefused(codec, Arrays.copyOf(whole, length));
    }

    private static <T> void assertReadOrRefused(Codec<T> codec, byte[] bytes) {
        T record;
        try {
            record = codec.decode(bytes);
        } catch (InvalidRecordException e) {
            assertThat(e.getMessage()).isNotBlank();
            assertThat(e.reason()).isNotIn(RejectionReason.FUTURE_TIMESTAMP, RejectionReason.UNKNOWN_SERVICE);
            return;
        }
        // An accepted record can be encoded and decoded again.
        assertThatNoException().isThrownBy(() -> codec.decode(codec.encode(record)));
    }

    private static byte[] damaged(Codec<?> codec, Random random) {
        byte[] bytes = golden(codec, random);
        for (int edits = 1 + random.nextInt(4); edits > 0; edits--) {
            int at = random.nextInt(bytes.length);
            switch (random.nextInt(4)) {
                case 0 -> bytes[at] ^= (byte) (1 << random.nextInt(8));
                case 1 -> bytes[at] = (byte) random.nextInt();
                case 2 -> bytes[at] = (byte) 0xff;
                default -> {
                    byte[] longer = new byte[bytes.length + 1];
                    System.arraycopy(bytes, 0, longer, 0, at);
                    longer[at] = (byte) random.nextInt();
                    System.arraycopy(bytes, at, longer, at + 1, bytes.length - at);
                    bytes = longer;
                }
            }
        }
        return bytes;
    }

    private static <T> byte[] golden(Codec<T> codec, Random random) {
        var records = SampleRecords.of(codec);
        return codec.encode(records.get(random.nextInt(records.size())));
    }
}
