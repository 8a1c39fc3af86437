package io.kipimo.harness.oracle;

import static org.assertj.core.api.Assertions.assertThat;

import io.kipimo.core.quality.join.ContributionBounds;
import io.kipimo.core.quality.join.EventFate;
import io.kipimo.core.quality.join.OpenQuery;
import io.kipimo.core.quality.join.QualitySettings;
import io.kipimo.core.quality.join.QueryJoin;
import io.kipimo.schemas.codec.EventScanner;
import io.kipimo.schemas.codec.SampledEvent;
import io.kipimo.schemas.policy.Policy;
import io.kipimo.schemas.quality.Measurement;
import io.kipimo.schemas.quality.QueryEvent;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/**
 * The product's join on the oracle's traffic, without an engine: what a restart may change is the
 * order in which partitions are read, and no row may differ by it. {@code -Dfaults.queries} says
 * how many queries.
 */
class RowsOfTheJoinPropertyTest {
    private static final long START_MILLIS = 1_790_000_000_000L;
    private static final int QUERIES = Integer.getInteger("faults.queries", 4_000);

    @Property(tries = 2, seed = "4")
    void everyQueryHasTheSameRightRowInWhateverOrderThePartitionsAreRead(
            @ForAll long seed, @ForAll long order) {
        TrafficSettings settings = new TrafficSettings(seed, QUERIES, 3, START_MILLIS);
        QualityTraffic traffic = QualityTraffic.generate(settings);
        RowAudit audit = new RowAudit();
        SplittableRandom random = new SplittableRandom(order);
        List<String> wrong = new ArrayList<>();
        for (int reading = 0; reading < 2; reading++) {
            Join join = new Join(traffic.policies());
            new LogReading(settings, traffic, join).readAll(random);
            for (Measurement row : join.rows) {
                audit.add(row, Optional.ofNullable(traffic.rows().get(QueryKey.of(row))))
                        .forEach(w -> wrong.add(w + " in " + row));
            }
            assertThat(join.rows).hasSameSizeAs(traffic.rows().keySet());
            assertThat(join.fates)
                    .isEqualTo(
                            Map.of(
                                    EventFate.JOINED,
                                    traffic.counts().joined(),
                                    EventFate.LATE,
                                    traffic.counts().late(),
                                    EventFate.DUPLICATE,
                                    traffic.counts().duplicate()));
        }

        System.out.print(audit.findings().report());
        assertThat(wrong).isEmpty();
        assertThat(audit.findings().isRight()).isTrue();
        assertThat(audit.findings().repeated()).isEqualTo(traffic.rows().size());
    }

    /** What the operators of the quality job do around the join, on one subtask. */
    private static final class Join implements LogReading.Reader {
        private static final long GRAIN_MILLIS = 1_000;

        private final Map<String, QualitySettings> settings = new HashMap<>();
        private final Map<String, ContributionBounds> bounds = new HashMap<>();
        private final Map<io.kipimo.schemas.quality.QueryKey, OpenQuery> open = new HashMap<>();
        private final TreeMap<Long, Set<io.kipimo.schemas.quality.QueryKey>> due = new TreeMap<>();
        private final Map<EventFate, Long> fates = new EnumMap<>(EventFate.class);
        private final List<Measurement> rows = new ArrayList<>();
        private final EventScanner scanner = new EventScanner();
        private long watermarkMillis = Long.MIN_VALUE;

        Join(List<Policy> policies) {
            for (Policy policy : policies) {
                settings.put(policy.service(), QualitySettings.of(policy));
                bounds.put(policy.service(), new ContributionBounds());
            }
        }

        @Override
        public void accept(QueryEvent sent) {
            SampledEvent event = scanner.of(sent);
            QualitySettings own = settings.get(event.key().service());
            if (QueryJoin.isLateByItself(event, own, watermarkMillis)) {
                count(event, EventFate.LATE);
                return;
            }
            OpenQuery query = open.computeIfAbsent(event.key(), key -> new OpenQuery());
            QueryJoin.accept(query, event, own, watermarkMillis, this::count);
            QueryJoin.measureIfComplete(event.key(), query, own).ifPresent(this::emit);
            lookAgain(event.key(), query, own);
        }

        @Override
        public void advance(long millis) {
            watermarkMillis = Math.max(watermarkMillis, millis);
            while (!due.isEmpty() && due.firstKey() <= watermarkMillis) {
                due.pollFirstEntry().getValue().forEach(this::lookAt);
            }
        }

        private void lookAt(io.kipimo.schemas.quality.QueryKey key) {
            OpenQuery query = open.get(key);
            if (query == null) {
                return;
            }
            QualitySettings own = settings.get(key.service());
            long settledMillis = QueryJoin.settledMillis(query, own);
            if (settledMillis <= watermarkMillis) {
                QueryJoin.measureExpired(key, query, own, this::count).ifPresent(this::emit);
            }
            if (settledMillis + QueryJoin.TOMBSTONE_SLACK_MILLIS <= watermarkMillis) {
                open.remove(key);
            } else {
                lookAgain(key, query, own);
            }
        }

        private void lookAgain(
                io.kipimo.schemas.quality.QueryKey key, OpenQuery query, QualitySettings own) {
            long settledMillis = QueryJoin.settledMillis(query, own);
            long atMillis =
                    settledMillis > watermarkMillis
                            ? settledMillis
                            : settledMillis + QueryJoin.TOMBSTONE_SLACK_MILLIS;
            due.computeIfAbsent(
                            Math.floorDiv(atMillis + GRAIN_MILLIS - 1, GRAIN_MILLIS) * GRAIN_MILLIS,
                            second -> new HashSet<>())
                    .add(key);
        }

        private void count(SampledEvent event, EventFate fate) {
            fates.merge(fate, 1L, Long::sum);
        }

        private void emit(Measurement measurement) {
            String service = measurement.service();
            rows.add(
                    bounds.get(service)
                            .complete(
                                    measurement,
                                    QueryJoin.measuredBeforeMillis(
                                            measurement, settings.get(service))));
        }
    }
}
