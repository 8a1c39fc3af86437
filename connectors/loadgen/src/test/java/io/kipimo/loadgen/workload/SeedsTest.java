package io.kipimo.loadgen.workload;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class SeedsTest {
    /** No user gets another user's numbers at a later time. */
    @Test
    void usersShareNoNumbers() {
        Set<Long> seen = new HashSet<>();
        int numbers = 0;
        for (long seed = 0; seed < 4; seed++) {
            for (long user = 0; user < 64; user++) {
                SplittableRandom random = Seeds.random(seed, user);
                for (int i = 0; i < 500; i++) {
                    seen.add(random.nextLong());
                    numbers++;
                }
            }
        }
        assertThat(seen).hasSize(numbers);
    }

    @Test
    void theSameUserAsksTheSame() {
        assertThat(Seeds.random(7, 3).nextLong()).isEqualTo(Seeds.random(7, 3).nextLong());
    }
}
