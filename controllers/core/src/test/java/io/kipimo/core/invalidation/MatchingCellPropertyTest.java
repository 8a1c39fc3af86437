package io.kipimo.core.invalidation;

import static org.assertj.core.api.Assertions.assertThat;

import io.kipimo.core.invalidation.filter.ExtendedJson;
import io.kipimo.core.invalidation.filter.RandomFilters;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

class MatchingCellPropertyTest {
    /** Longer than the delay of writes here, shorter than the allowed age of evaluations. */
    private static final MatchingCell.Retention SETTINGS = new MatchingCell.Retention(1_000_000, 30);

    @Property(tries = 60, seed = "75")
    void reportsTheSameMatchesAsTestingAllQueriesAgainstAllWrites(@ForAll long seed) {
        new Scenario(new SplittableRandom(seed)).run(400);
    }

    /**
     * A store; a cell that receives its writes late and out of order; and for each query a reader that receives only
     * matches.
     */
    private static final class Scenario {
        private final SplittableRandom random;
        private final RandomFilters filters;
        private final List<AfterImage> log = new ArrayList<>();
        private final List<AfterImage> underWay = new ArrayList<>();
        private final Map<String, Long> heard = new HashMap<>();
        private final Map<String, RegisteredQuery> queries = new TreeMap<>();
        // By query and record: the version in the reader's result.
        private final Map<String, Map<String, Long>> readers = new HashMap<>();
        private MatchingCell cell = new MatchingCell(SETTINGS);
        private int restoredAt;

        Scenario(SplittableRandom random) {
            this.random = random;
            this.filters = new RandomFilters(random);
        }

        void run(int steps) {
            for (int step = 0; step < steps; step++) {
                switch (random.nextInt(12)) {
                    case 0, 1 -> register();
                    case 2 -> unregister();
                    case 3 -> {
                        cell = MatchingCell.restore(SETTINGS, cell.snapshot());
                        restoredAt = log.size();
                    }
                    default -> write();
                }
                while (underWay.size() > 8) {
                    deliver();
                }
            }
            while (!underWay.isEmpty()) {
                deliver();
            }
            Map<String, AfterImage> store = storeAfter(log.size());
            queries.forEach((key, query) -> assertThat(readers.get(key).keySet())
                    .as("%s", query.text())
                    .isEqualTo(evaluate(query, store).keySet()));
            assertThat(cell.queries()).isEqualTo(queries.size());
        }

        private void write() {
            String id = "r" + random.nextInt(12);
            long now = log.size();
            AfterImage write = random.nextInt(5) == 0
                    ? AfterImage.deletion("c", id, now, now)
                    : AfterImage.of("c", id, now, now, ExtendedJson.document(filters.document()));
            log.add(write);
            underWay.add(random.nextInt(underWay.size() + 1), write);
            if (random.nextInt(10) == 0) {
                underWay.add(write);
            }
        }

        private void deliver() {
            AfterImage write = underWay.remove(0);
            boolean isNew = heard.getOrDefault(write.recordId(), -1L) < write.version();
            heard.merge(write.recordId(), write.version(), Math::max);
            Map<String, ChangeKind> expected = isNew ? expected(write) : Map.of();
            Map<String, ChangeKind> told = new TreeMap<>();
            WriteOutcome outcome = cell.apply(write, match -> tell(match, told));
            assertThat(outcome).isEqualTo(isNew ? WriteOutcome.APPLIED : WriteOutcome.STALE);
            assertThat(told).as("%s", write).isEqualTo(expected);
        }

        private Map<String, ChangeKind> expected(AfterImage write) {
            Map<String, ChangeKind> expected = new TreeMap<>();
            queries.forEach((key, query) -> {
                Long held = readers.get(key).get(write.recordId());
                boolean isSelected = write.image().map(query.filter()::matches).orElse(false);
                if (held == null && isSelected) {
                    expected.put(key, ChangeKind.ADD);
                } else if (held != null && held < write.version()) {
                    expected.put(key, isSelected ? ChangeKind.CHANGE : ChangeKind.REMOVE);
                }
            });
            return expected;
        }

        private void tell(Match match, Map<String, ChangeKind> told) {
            assertThat(told.put(match.queryKey(), match.kind())).isNull();
            tell(match);
        }

        private void tell(Match match) {
            Map<String, Long> reader = readers.get(match.queryKey());
            String id = match.write().recordId();
            assertThat(reader.containsKey(id)).isEqualTo(match.kind() != ChangeKind.ADD);
            if (match.kind() == ChangeKind.REMOVE) {
                reader.remove(id);
            } else {
                Long before = reader.put(id, match.write().version());
                assertThat(before == null || before < match.write().version()).isTrue();
            }
        }

        private void register() {
            RegisteredQuery query = queries.isEmpty() || random.nextInt(4) > 0
                    ? RegisteredQuery.of("c", ExtendedJson.document(filters.filter()))
                    : queries.values().iterator().next();
            int evaluatedAt = Math.max(0, log.size() - random.nextInt(random.nextInt(50) + 1));
            Map<String, Long> result = evaluate(query, storeAfter(evaluatedAt));
            readers.put(query.key(), new HashMap<>(result));
            RegistrationOutcome outcome = cell.register(Registration.of(query, result, evaluatedAt), this::tell);
            if (outcome == RegistrationOutcome.ACTIVE) {
                queries.put(query.key(), query);
            } else {
                // A restored cell has only the last write of each record.
                assertThat(evaluatedAt).isLessThan(Math.max(restoredAt, log.size() - 10));
                queries.remove(query.key());
            }
        }

        private void unregister() {
            if (!queries.isEmpty()) {
                String key = queries.keySet().iterator().next();
                queries.remove(key);
                cell.unregister(key);
            }
        }

        private Map<String, AfterImage> storeAfter(int writes) {
            Map<String, AfterImage> store = new HashMap<>();
            log.subList(0, writes).forEach(write -> store.put(write.recordId(), write));
            return store;
        }

        private static Map<String, Long> evaluate(RegisteredQuery query, Map<String, AfterImage> store) {
            Map<String, Long> result = new HashMap<>();
            store.forEach((id, write) -> {
                if (write.image().map(query.filter()::matches).orElse(false)) {
                    result.put(id, write.version());
                }
            });
            return result;
        }
    }
}
