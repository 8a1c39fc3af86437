package io.kipimo.core.quality.join;

import static io.kipimo.core.quality.join.Events.START;
import static io.kipimo.core.quality.join.Events.WINDOW;
import static org.assertj.core.api.Assertions.assertThat;

import io.kipimo.core.quality.join.PartitionedJoin.PartitionSnapshot;
import io.kipimo.schemas.codec.LoggedEvent;
import io.kipimo.schemas.quality.AnswerBuilder;
import io.kipimo.schemas.quality.AnswerKind;
import io.kipimo.schemas.quality.Completeness;
import io.kipimo.schemas.quality.Items;
import io.kipimo.schemas.quality.Measurement;
import io.kipimo.schemas.quality.PartialResultBuilder;
import io.kipimo.schemas.quality.Phase;
import io.kipimo.schemas.quality.QueryKey;
import io.kipimo.schemas.quality.SampledEvent;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/**
 * Events that the log says are in time and that are read long after their windows, as strays are that were written
 * again behind a backlog: no query has two rows, each has one if it was not there before, and every event has one
 * result.
 */
class OverdueEventsPropertyTest {
    private static final int QUERIES = 300;

    /** Each event of a query is overdue if it comes by so much later. */
    private static final long OVERDUE = WINDOW + 6_000;

    private static final QualitySettings SETTINGS = QualitySettings.of(Events.policy());

    /** @param atMillis event time of the join when the event is read */
    private record Arrival(LoggedEvent event, int query, long atMillis) {
        boolean isOverdue() {
            return atMillis >= event.startedAtMillis() + OVERDUE;
        }
    }

    private final List<Measurement> rows = new ArrayList<>();
    private final Map<JoinResult, Integer> fates = new EnumMap<>(JoinResult.class);
    private int overdue;

    private PartitionedJoin join() {
        JoinOutput output = new JoinOutput() {
            @Override
            public void onMeasurement(Measurement row, long measuredBeforeMillis) {
                rows.add(row);
            }

            @Override
            public void onFate(SampledEvent event, JoinResult result) {
                fates.merge(result, 1, Integer::sum);
            }

            @Override
            public void onOverdue() {
                overdue++;
            }
        };
        return new PartitionedJoin(store -> new JoinEngine(store, s -> SETTINGS, false, output));
    }

    @Property(tries = 60, seed = "37")
    void everyQueryHasItsRow(@ForAll long seed) throws Exception {
        rows.clear();
        fates.clear();
        overdue = 0;
        Random random = new Random(seed);
        List<Arrival> arrivals = arrivals(random);
        PartitionedJoin join = join();
        join.advance(START - 1_000);
        for (Arrival arrival : arrivals) {
            join.advance(arrival.atMillis);
            assertThat(join.accept(0, arrival.event)).isTrue();
            if (random.nextInt(100) == 0) {
                join = restored(join.snapshot(partition -> 0));
            }
        }
        join.advance(join.eventTimeMillis() + WINDOW);
        // As the back-stop does in silence.
        join.advance(join.lastSettledMillis() + JoinEngine.TOMBSTONE_SLACK_MILLIS);

        assertThat(join.nextDueMillis()).isEqualTo(Long.MAX_VALUE);
        assertThat(rows)
                .extracting(Measurement::queryId)
                .doesNotHaveDuplicates()
                .hasSize(QUERIES);
        assertThat(fates.values().stream().mapToInt(n -> n).sum()).isEqualTo(arrivals.size());
        assertThat(overdue).isLessThanOrEqualTo(fates.getOrDefault(JoinResult.LATE, 0));
        Set<Integer> strays = new HashSet<>();
        Set<Integer> others = new HashSet<>();
        arrivals.forEach(a -> (a.isOverdue() ? strays : others).add(a.query));
        strays.removeAll(others);
        Map<String, Completeness> found =
                rows.stream().collect(Collectors.toMap(Measurement::queryId, Measurement::completeness));
        assertThat(strays).isNotEmpty();
        for (int query : strays) {
            assertThat(found).containsEntry("q" + query, Completeness.COMPLETE);
        }
    }

    /** Strays come up to four minutes late, those of a query within some seconds. */
    private static List<Arrival> arrivals(Random random) {
        List<Arrival> arrivals = new ArrayList<>();
        for (int query = 0; query < QUERIES; query++) {
            long start = START + 200L * query;
            long delay = random.nextInt(240_000);
            if (random.nextInt(4) > 0) {
                delay = Math.max(delay, OVERDUE);
            }
            int kind = random.nextInt(4);
            List<LoggedEvent> events = List.of(
                    answer(query, start),
                    result(query, start, "a", Phase.ONLINE),
                    result(query, start, "b", Phase.MATURE));
            for (LoggedEvent event : events) {
                event.place(start - 500, start + 500, true);
                // All events, none, or some are strays.
                boolean isStray = kind == 0 || (kind == 1 && random.nextBoolean());
                for (int copies = 1 + random.nextInt(5) / 4; copies > 0; copies--) {
                    long at = isStray
                            ? start + delay + random.nextInt(5_000)
                            : event.eventTimeMillis() - random.nextInt(1_000);
                    arrivals.add(new Arrival(event, query, at));
                }
            }
        }
        arrivals.sort(Comparator.comparingLong(Arrival::atMillis));
        return arrivals;
    }

    private PartitionedJoin restored(List<PartitionSnapshot> snapshots) throws IOException {
        PartitionedJoin join = join();
        for (PartitionSnapshot snapshot : snapshots) {
            join.restore(snapshot.partition(), snapshot.eventTimeMillis());
            join.restore(snapshot.partition(), snapshot.forgotten());
            Map<QueryKey, OpenQuery> open = new HashMap<>();
            for (QuerySegment segment : snapshot.segments()) {
                segment.forEach((key, query) -> open.put(key, query.copy()));
            }
            open.forEach((key, query) -> join.restore(snapshot.partition(), key, query));
        }
        return join;
    }

    private static LoggedEvent answer(int query, long start) {
        return Events.event(AnswerBuilder.builder()
                .service("shop")
                .queryId("q" + query)
                .queryClass("high")
                .kind(AnswerKind.ONLINE)
                .startedAtMillis(start)
                .answeredAtMillis(start + 30)
                .deadlineMillis(30)
                .invocations(List.of(Events.inTime("a"), Events.timedOut("b")))
                .items(Items.NONE)
                .build());
    }

    private static LoggedEvent result(int query, long start, String component, Phase phase) {
        long latency = phase == Phase.ONLINE ? 10 : 900;
        return Events.event(PartialResultBuilder.builder()
                .service("shop")
                .queryId("q" + query)
                .component(component)
                .server("")
                .phase(phase)
                .completedAtMillis(start + latency)
                .latencyMicros(1_000 * latency)
                .items(Events.items(1, 2))
                .startedAtMillis(query % 3 == 0 ? 0 : start)
                .build());
    }
}
