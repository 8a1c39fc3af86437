package io.kipimo.kafka;

import static io.kipimo.kafka.Entries.NOW;
import static org.assertj.core.api.Assertions.assertThat;

import io.kipimo.schemas.deadletter.DeadLetter;
import io.kipimo.schemas.observation.Observation;
import java.util.Optional;
import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.Gauge;
import org.apache.flink.metrics.testutils.MetricListener;
import org.apache.flink.types.Either;
import org.junit.jupiter.api.Test;

class ProvenTimeTest {
    private final MetricListener metrics = new MetricListener();
    private String writer = "search/front/s1";
    private long clockMillis = NOW + 100;
    private final ProvenTime<Observation> time = new ProvenTime<>(
            EventTime.by(Observation::secondMillis, seen -> writer),
            new PresentBound(() -> clockMillis),
            new WritersAhead(metrics.getMetricGroup()));

    private long stamp(long happenedMillis, long loggedMillis) {
        return time.extractTimestamp(
                Either.<DeadLetter, Observation>Right(Entries.observation(happenedMillis)), loggedMillis);
    }

    private Optional<Long> counted(String name) {
        return metrics.getCounter("kipimo", "writer", name, "recordsAhead").map(Counter::getCount);
    }

    @Test
    void recordsAppendedAfterTheirEventTimeKeepIt() {
        assertThat(stamp(NOW - 20, NOW)).isEqualTo(NOW - 20);
        assertThat(stamp(NOW - 3_600_000, NOW)).as("a slow clock").isEqualTo(NOW - 3_600_000);
    }

    @Test
    void recordsThatAreReadOrCopiedLateKeepTheirTime() {
        clockMillis = NOW + 86_400_000;
        assertThat(stamp(NOW - 20, NOW)).as("a backlog").isEqualTo(NOW - 20);
        assertThat(stamp(NOW - 20, NOW + 80_000_000)).as("a mirror").isEqualTo(NOW - 20);
        assertThat(stamp(NOW + 50_000, NOW)).as("fast clock, in a backlog").isEqualTo(NOW);
    }

    @Test
    void withCreateTimeTheReadersClockIsTheBound() {
        assertThat(stamp(NOW + 50_000, NOW + 50_000)).isEqualTo(clockMillis);
        assertThat(stamp(NOW + 50_000, -1)).as("no timestamp in the log").isEqualTo(clockMillis);
        assertThat(stamp(NOW - 20, 0)).isEqualTo(NOW - 20);
    }

    /** Two readers of a record would count it twice. */
    @Test
    void whatAnotherReaderReportsIsBoundedButNotCounted() {
        writer = EventTime.REPORTED_ELSEWHERE;
        assertThat(stamp(NOW + 50_000, NOW)).isEqualTo(NOW);
        assertThat(counted(writer)).isEmpty();
    }

    @Test
    void ownersOfClocksThatAreAheadAreNamed() {
        long unused = stamp(NOW + ProvenTime.TOLERANCE_MILLIS, NOW);
        assertThat(counted(writer)).as("within the tolerance").isEmpty();

        unused = stamp(NOW + 50_000, NOW);
        unused = stamp(NOW + 40_000, NOW);
        assertThat(counted(writer)).contains(2L);
        Gauge<Long> ahead = metrics.<Long>getGauge("kipimo", "writer", writer, "aheadMillis")
                .orElseThrow();
        assertThat(ahead.getValue()).isEqualTo(40_000);
    }

    @Test
    void inventedNamesDoNotFillTheRegistry() {
        for (int i = 0; i < 3 * WritersAhead.MOST_WRITERS; i++) {
            writer = "search/front/s" + i;
            long unused = stamp(NOW + 50_000, NOW);
        }
        assertThat(counted("search/front/s" + (WritersAhead.MOST_WRITERS - 1))).contains(1L);
        assertThat(counted("search/front/s" + WritersAhead.MOST_WRITERS)).isEmpty();
        assertThat(counted("others")).contains(2L * WritersAhead.MOST_WRITERS);
    }
}
