package io.kipimo.harness.oracle;

import static org.assertj.core.api.Assertions.assertThat;

import io.kipimo.harness.oracle.PlainJoin.Verdict;
import io.kipimo.schemas.deadletter.RejectionReason;
import io.kipimo.schemas.topics.Topic;
import java.nio.charset.StandardCharsets;
import java.util.EnumSet;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/** The expected output follows from the rules of the join alone, in whatever order the partitions are read. */
class QualityTrafficPropertyTest {
    private static final long START_MILLIS = 1_790_000_000_000L;
    private static final int PARTITIONS = 3;
    private static final int QUERIES = Integer.getInteger("faults.queries", 1_000);

    @Property(tries = 2, seed = "1")
    void rulesOfTheJoinGiveTheExpectedRowsAndCountsInAnyReadingOrder(
            @ForAll long seed, @ForAll long order, @ForAll boolean hot) {
        TrafficSettings settings = new TrafficSettings(seed, 1_000, PARTITIONS, START_MILLIS);
        QualityTraffic traffic = QualityTraffic.generate(hot ? settings.withHotQuery() : settings);
        PlainJoin join = new PlainJoin(traffic.policies());
        LogReading reading = new LogReading(settings, traffic, join);

        reading.readAll(new SplittableRandom(order));

        assertThat(join.verdicts().get(Verdict.JOINED))
                .isEqualTo(traffic.counts().joined());
        assertThat(join.verdicts().get(Verdict.LATE)).isEqualTo(traffic.counts().late());
        assertThat(join.verdicts().get(Verdict.DUPLICATE))
                .isEqualTo(traffic.counts().duplicate());
        assertThat(join.unnamed()).isEqualTo(traffic.counts().unnamed());
        assertThat(reading.rejected()).isEqualTo(traffic.counts().rejected());
        assertThat(traffic.counts().all())
                .isEqualTo(traffic.records().stream()
                                .filter(r -> r.topic() != Topic.OBSERVATIONS)
                                .count()
                        + traffic.stragglers().size());
        assertThat(join.rows().keySet()).isEqualTo(traffic.rows().keySet());
        traffic.rows().forEach((query, row) -> assertThat(join.rows().get(query))
                .singleElement()
                .satisfies(actual ->
                        assertThat(row.differences(actual.measurement())).isEmpty()));
        assertThat(join.remembered()).toIterable().allMatch(query -> query.queryId()
                .startsWith("run-out"));
    }

    @Property(tries = 1, seed = "2")
    void everyKindOfOutcomeIsThere(@ForAll long seed) {
        QualityTraffic traffic = QualityTraffic.generate(new TrafficSettings(seed, QUERIES, PARTITIONS, START_MILLIS));
        double all = traffic.counts().all();

        assertThat(traffic.counts().late() / all).isBetween(0.03, 0.07);
        assertThat(traffic.counts().duplicate() / all).isBetween(0.07, 0.11);
        assertThat(traffic.counts().allRejected() / all).isBetween(0.005, 0.02);
        // Late events of queries go to a topic of their own.
        assertThat(traffic.counts().rejected().keySet())
                .isEqualTo(EnumSet.complementOf(EnumSet.of(RejectionReason.LATE, RejectionReason.TOO_MANY_NAMES)));
        assertThat(traffic.stragglers()).isNotEmpty();
        assertThat(traffic.rows().values().stream()
                        .collect(Collectors.groupingBy(row -> row.measurement().completeness()
                                + (row.measurement().truncated() ? " truncated" : ""))))
                .containsKeys("COMPLETE", "COMPLETE truncated", "EXPIRED", "ORPHAN", "NOT_MEASURABLE");
    }

    @Property(tries = 1, seed = "3")
    void aHotQueryHasHalfOfAllEvents(@ForAll long seed) {
        QualityTraffic traffic =
                QualityTraffic.generate(new TrafficSettings(seed, 1_000, PARTITIONS, START_MILLIS).withHotQuery());

        long all = traffic.records().stream()
                .filter(r -> r.topic() != Topic.OBSERVATIONS)
                .count();
        long hottest = traffic.records().stream()
                .filter(r -> r.topic() != Topic.OBSERVATIONS && r.key() != null)
                .collect(Collectors.groupingBy(r -> new String(r.key(), StandardCharsets.UTF_8), Collectors.counting()))
                .values()
                .stream()
                .max(Long::compare)
                .orElseThrow();
        assertThat((double) hottest / all).isBetween(0.48, 0.52);
    }
}
