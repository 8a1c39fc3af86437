package io.kipimo.examples.tiers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** Seeds are fixed, so all results are deterministic. */
class InterferenceTest {
    private static final int SERVERS = 4;
    private static final int STEP_MILLIS = 10;
    private static final Interference.Pattern PATTERN = new Interference.Pattern(5_000, 1_250, 8);

    /** Without disturbance every copy takes a millisecond. */
    private static Interference interference(long seed) {
        return new Interference(SERVERS, 1, PATTERN, 0, seed);
    }

    private static boolean isInTheWay(Interference interference, int server, long nowMillis) {
        return interference.millis(server, nowMillis) > 1;
    }

    @Test
    void firstNeighboursDoNotComeToAllServersAtOnce() {
        for (long seed = 1; seed <= 10; seed++) {
            Interference interference = interference(seed);
            long[] first = new long[SERVERS];
            for (int server = 0; server < SERVERS; server++) {
                while (!isInTheWay(interference, server, first[server])) {
                    first[server] += STEP_MILLIS;
                }
            }
            long apart = Arrays.stream(first).max().orElseThrow();
            apart -= Arrays.stream(first).min().orElseThrow();
            assertThat(apart).as("seed %d: %s", seed, Arrays.toString(first)).isGreaterThan(500);
        }
    }

    @Test
    void twoServersSufferTogetherAsOftenAsChanceHasIt() {
        Interference interference = interference(1);
        int[] slow = new int[SERVERS];
        int[] withTheFirst = new int[SERVERS];
        int looks = 400_000;
        for (int look = 0; look < looks; look++) {
            boolean first = isInTheWay(interference, 0, (long) look * STEP_MILLIS);
            for (int server = 1; server < SERVERS; server++) {
                if (isInTheWay(interference, server, (long) look * STEP_MILLIS)) {
                    slow[server]++;
                    withTheFirst[server] += first ? 1 : 0;
                }
            }
        }
        for (int server = 1; server < SERVERS; server++) {
            assertThat((double) slow[server] / looks).isCloseTo(0.2, within(0.03));
            assertThat((double) withTheFirst[server] / looks).isCloseTo(0.04, within(0.015));
        }
    }
}
