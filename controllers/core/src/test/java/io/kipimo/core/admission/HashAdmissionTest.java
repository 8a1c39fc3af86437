package io.kipimo.core.admission;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.nio.charset.StandardCharsets;
import net.openhft.hashing.LongHashFunction;
import org.junit.jupiter.api.Test;

class HashAdmissionTest {
    private static final int IDS = 100_000;
    private static final long HOUR = 3_600_000;
    private static final long NOW = SampleWindows.START / HOUR * HOUR;

    private static String id(int i) {
        return "query-" + i;
    }

    /** Admission follows the rule of the sampling hash: rightmost 56 bits of xxHash64, seed 0. */
    private static boolean sampled(String id, double rate) {
        long hash = LongHashFunction.xx().hashBytes(id.getBytes(StandardCharsets.UTF_8));
        return (hash & ((1L << 56) - 1)) >= Math.round((1 - rate) * 0x1p56);
    }

    @Test
    void theShareAdmittedIsTheFraction() {
        for (double fraction : new double[] {0.01, 0.1, 0.5, 0.9}) {
            int admitted = 0;
            for (int i = 0; i < IDS; i++) {
                admitted += HashAdmission.admits(id(i), fraction, NOW) ? 1 : 0;
            }
            double deviation = Math.sqrt(IDS * fraction * (1 - fraction));
            assertThat((double) admitted).isEqualTo(IDS * fraction, within(4 * deviation));
        }
    }

    @Test
    void aRetryWithinTheHourHasTheSameFate() {
        for (int i = 0; i < 1000; i++) {
            boolean first = HashAdmission.admits(id(i), 0.5, NOW);
            assertThat(HashAdmission.admits(id(i), 0.5, NOW + HOUR - 1)).isEqualTo(first);
        }
    }

    @Test
    void aGreaterFractionAdmitsAllThatASmallerOneDid() {
        for (int i = 0; i < IDS; i++) {
            if (HashAdmission.admits(id(i), 0.3, NOW)) {
                assertThat(HashAdmission.admits(id(i), 0.31, NOW)).isTrue();
            }
        }
    }

    @Test
    void theSampledAreAdmittedAsOftenAsTheOthers() {
        double sampled = 0;
        double both = 0;
        double admitted = 0;
        for (int i = 0; i < IDS; i++) {
            boolean s = sampled(id(i), 0.2);
            boolean a = HashAdmission.admits(id(i), 0.4, NOW);
            sampled += s ? 1 : 0;
            admitted += a ? 1 : 0;
            both += s && a ? 1 : 0;
        }
        assertThat(chiSquare(sampled, admitted, both)).isLessThan(10.83); // 1 degree, 0.1 %
    }

    @Test
    void theHoursAreIndependent() {
        double first = 0;
        double second = 0;
        double both = 0;
        for (int i = 0; i < IDS; i++) {
            boolean a = HashAdmission.admits(id(i), 0.4, NOW);
            boolean b = HashAdmission.admits(id(i), 0.4, NOW + HOUR);
            first += a ? 1 : 0;
            second += b ? 1 : 0;
            both += a && b ? 1 : 0;
        }
        assertThat(chiSquare(first, second, both)).isLessThan(10.83);
    }

    private static double chiSquare(double a, double b, double both) {
        double[] seen = {both, a - both, b - both, IDS - a - b + both};
        double[] expected = {a * b / IDS, a * (IDS - b) / IDS, (IDS - a) * b / IDS, (IDS - a) * (IDS - b) / IDS};
        double sum = 0;
        for (int i = 0; i < 4; i++) {
            sum += (seen[i] - expected[i]) * (seen[i] - expected[i]) / expected[i];
        }
        return sum;
    }

    @Test
    void overAWeekEveryUserGetsAboutItsShare() {
        int hours = 168;
        for (int user = 0; user < 300; user++) {
            int admitted = 0;
            for (int h = 0; h < hours; h++) {
                admitted += HashAdmission.admits("user-" + user, 0.5, NOW + h * HOUR) ? 1 : 0;
            }
            assertThat((double) admitted).isEqualTo(hours * 0.5, within(5 * Math.sqrt(hours * 0.25)));
        }
    }

    @Test
    void admitsNoneAtZeroAllAtOneAndNoneAtNaN() {
        for (int i = 0; i < 1000; i++) {
            assertThat(HashAdmission.admits(id(i), 0, NOW)).isFalse();
            assertThat(HashAdmission.admits(id(i), -0.0, NOW)).isFalse();
            assertThat(HashAdmission.admits(id(i), Double.NaN, NOW)).isFalse();
            assertThat(HashAdmission.admits(id(i), 1, NOW)).isTrue();
            assertThat(HashAdmission.admits(id(i), Double.POSITIVE_INFINITY, NOW))
                    .isTrue();
        }
    }
}
