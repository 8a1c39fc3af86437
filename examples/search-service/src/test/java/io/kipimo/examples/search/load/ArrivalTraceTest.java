package io.kipimo.examples.search.load;

import static org.assertj.core.api.Assertions.assertThat;

import io.kipimo.examples.search.index.Vocabulary;
import io.kipimo.examples.search.workload.QueryMix;
import io.kipimo.examples.search.workload.QueryWriter;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class ArrivalTraceTest {
    private static final Duration MINUTE = Duration.ofMinutes(1);
    private static final QueryWriter WRITER = new QueryWriter(new Vocabulary(
            List.of(new Vocabulary.VocabularyEntry("first", 9, 1), new Vocabulary.VocabularyEntry("second", 4, 1)),
            List.of(new Vocabulary.VocabularyEntry("first second", 1, 1))));

    @Test
    void theSameSeedGivesTheSameTrace() {
        assertThat(trace(1.2, 5)).isEqualTo(trace(1.2, 5));
        assertThat(trace(1.2, 5)).isNotEqualTo(trace(1.2, 6));
    }

    @Test
    void theHighClassIsTheSameWhateverTheLowClassDoes() {
        assertThat(of(trace(1.2, 5), QueryClass.HIGH)).isEqualTo(of(trace(0.9, 5), QueryClass.HIGH));
    }

    @Test
    void ratesFollowTheCapacity() {
        ArrivalTrace trace = trace(1.15, 7);

        // 15 a second of the high class. The mean of sin² is a half, so 50 a second of the low
        // class.
        assertThat(of(trace, QueryClass.HIGH)).hasSizeBetween(800, 1_000);
        assertThat(of(trace, QueryClass.LOW)).hasSizeBetween(2_800, 3_200);
    }

    @Test
    void theLowClassPeaksInTheMiddle() {
        List<Arrival> low = of(trace(1.15, 8), QueryClass.LOW);

        assertThat(low).filteredOn(a -> second(a) < 6).hasSizeLessThan(40);
        assertThat(low).filteredOn(a -> second(a) >= 27 && second(a) < 33).hasSizeBetween(530, 660);
    }

    @Test
    void arrivalsAreInOrderAndWithinTheRun() {
        assertThat(trace(1.2, 9).arrivals())
                .isSortedAccordingTo((a, b) -> Long.compare(a.offsetMicros(), b.offsetMicros()))
                .allSatisfy(a -> assertThat(second(a)).isBetween(0L, 59L));
    }

    private static ArrivalTrace trace(double peakUtilisation, long seed) {
        return ArrivalTrace.of(TraceSettings.day(MINUTE, 100, peakUtilisation, QueryMix.HEAVIER, seed), WRITER);
    }

    private static List<Arrival> of(ArrivalTrace trace, QueryClass queryClass) {
        return trace.arrivals().stream()
                .filter(a -> a.queryClass() == queryClass)
                .toList();
    }

    private static long second(Arrival arrival) {
        return arrival.offsetMicros() / 1_000_000;
    }
}
