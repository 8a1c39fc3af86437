package io.kipimo.core.sampling;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.kipimo.schemas.quality.QueryKey;
import java.math.BigDecimal;
import java.math.RoundingMode;
import net.openhft.hashing.LongHashFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ConsistentSamplingTest {
    private static final String TRACE_ID = "4bf92f3577b34da6a3ce929d0e0e4736";

    /** Vectors of python-xxhash, seed 0; the empty one is in the xxHash specification's tests. */
    @ParameterizedTest
    @CsvSource({
        "'', ef46db3751d8e999",
        "a, d24ec4f1a98c6e5b",
        "abc, 44bc2cf5ad770999",
        "hello, 26c7827d889f6da3",
        "message digest, 066ed728fceeb3be"
    })
    void hash_isXxHash64_publishedVectors(String text, String expected) {
        assertThat(Long.toHexString(ConsistentSampling.hash(text))).isEqualTo(expected.replaceFirst("^0", ""));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3, 4, 7, 8, 9, 16, 31, 32, 33, 64, 100, 256})
    void hash_readsAsciiAsItsBytes(int length) {
        String text = "0123456789-Root=~".repeat(20).substring(0, length);
        assertThat(ConsistentSampling.hash(text))
                .isEqualTo(LongHashFunction.xx().hashBytes(text.getBytes(java.nio.charset.StandardCharsets.UTF_8)));
    }

    /** python-xxhash 4.1.0: xxhash.xxh64("größe-日本".encode()).hexdigest(). */
    @Test
    void hash_isOverUtf8Bytes() {
        assertThat(Long.toHexString(ConsistentSampling.hash("größe-日本"))).isEqualTo("f2195fe97e8b05e4");
    }

    /** OpenTelemetry collector, probabilistic sampler tests: "1 percent sampled", th:fd70a3d70a3d71. */
    @ParameterizedTest
    @CsvSource({
        "1, 0",
        "0.75, 40000000000000",
        "0.5, 80000000000000",
        "0.25, c0000000000000",
        "0.1, e6666666666666",
        "0.01, fd70a3d70a3d71",
        "0, 100000000000000"
    })
    void threshold_isOpenTelemetrys(double rate, String expected) {
        assertThat(Long.toHexString(ConsistentSampling.threshold(rate))).isEqualTo(expected);
    }

    @ParameterizedTest
    @ValueSource(doubles = {0.001, 0.005, 0.02, 0.03, 0.2, 1.0 / 3, 0.7, 0.999})
    void threshold_isExactlyRounded(double rate) {
        BigDecimal exact = BigDecimal.ONE
                .subtract(new BigDecimal(rate))
                .multiply(new BigDecimal(1L << 56))
                .setScale(0, RoundingMode.HALF_UP);
        assertThat(ConsistentSampling.threshold(rate)).isEqualTo(exact.longValueExact());
    }

    @ParameterizedTest
    @ValueSource(doubles = {-0.1, 1.1, Double.NaN})
    void threshold_refusesRatesOutOfRange(double rate) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ConsistentSampling.threshold(rate))
                .withMessageContaining("allowed: 0..1");
    }

    @Test
    void randomness_ofATraceIdIsItsRightmost56Bits() {
        assertThat(ConsistentSampling.randomness(TRACE_ID)).isEqualTo(0xce929d0e0e4736L);
        assertThat(ConsistentSampling.randomness(new QueryKey("shop", TRACE_ID)))
                .isEqualTo(0xce929d0e0e4736L);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "4BF92F3577B34DA6A3CE929D0E0E4736",
                "00000000000000000000000000000000",
                "4bf92f3577b34da6a3ce929d0e0e473",
                "4bf92f3577b34da6a3ce929d0e0e4736a",
                "4bf92f3577b34da6a3ce929d0e0e473g",
                "1-5759e988-bd862e3fe1be46a994272793",
                "query-17",
                ""
            })
    void randomness_ofAnyOtherIdIsHashed(String id) {
        assertThat(ConsistentSampling.randomness(id)).isEqualTo(ConsistentSampling.hash(id) & 0xffffffffffffffL);
        assertThat(ConsistentSampling.randomness(new QueryKey("shop", id)))
                .isEqualTo(ConsistentSampling.randomness(id));
    }

    @Test
    void isSampled_takesRandomnessAtTheThreshold() {
        // 99/100 = .fd70a3d70a3d71 rounded
        assertThat(ConsistentSampling.isSampled("00000000000000000" + "1fd70a3d70a3d71", 0.01))
                .isTrue();
        assertThat(ConsistentSampling.isSampled("00000000000000000" + "1fd70a3d70a3d70", 0.01))
                .isFalse();
    }
}
