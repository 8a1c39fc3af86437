package io.kipimo.core.sampling;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.kipimo.core.admission.HashAdmission;
import net.openhft.hashing.LongHashFunction;
import org.junit.jupiter.api.Test;

class ExplorationTest {
    private static final String TRACE_ID = "4bf92f3577b34da6a3ce929d0e0e4736";

    private static String id(int i) {
        return "%032x".formatted(0x1234_5678_9abc_def1L * (i + 1));
    }

    @Test
    void theRandomnessIsXxHash64OfTheIdWhateverItsForm() {
        for (String id : new String[] {TRACE_ID, "a", "order/17", "x".repeat(100)}) {
            assertThat(Exploration.randomness(id))
                    .isEqualTo(LongHashFunction.xx(Exploration.SALT)
                                    .hashBytes(id.getBytes(java.nio.charset.StandardCharsets.UTF_8))
                            & (1L << 56) - 1);
        }
    }

    @Test
    void aShareOfTheQueriesIsExploredIndependentlyOfSamplingAndAdmission() {
        int explored = 0;
        int both = 0;
        int admitted = 0;
        for (int i = 0; i < 50_000; i++) {
            if (Exploration.isExplored(id(i), 0.1)) {
                explored++;
                both += ConsistentSampling.isSampled("s" + id(i), 0.5) ? 1 : 0;
                admitted += HashAdmission.admits(id(i), 0.5, 1_764_000_000_000L) ? 1 : 0;
            }
        }
        assertThat(explored).isBetween(4_700, 5_300);
        assertThat(both).isBetween(2_300, 2_700);
        assertThat(admitted).isBetween(2_300, 2_700);
    }

    @Test
    void aGreaterShareExploresEveryQueryOfASmallerOne() {
        for (int i = 0; i < 5_000; i++) {
            if (Exploration.isExplored(id(i), 0.05)) {
                assertThat(Exploration.isExplored(id(i), 0.2)).isTrue();
            }
            assertThat(Exploration.isExplored(id(i), 0)).isFalse();
            assertThat(Exploration.isExplored(id(i), 1)).isTrue();
        }
        assertThatIllegalArgumentException().isThrownBy(() -> Exploration.isExplored("a", 1.1));
    }
}
