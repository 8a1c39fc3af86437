package io.kipimo.core.invalidation;

import static io.kipimo.core.invalidation.filter.Json.json;
import static org.assertj.core.api.Assertions.assertThat;

import io.kipimo.core.invalidation.filter.Document;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

class SortedWindowPropertyTest {
    private static final SortOrder ORDER = SortOrder.parse(json("{a: -1, b: 1}"));

    private record Query(long offset, long limit, int slack) {
        List<AfterImage> evaluate(Collection<AfterImage> records) {
            long most = limit == 0 ? Long.MAX_VALUE : offset + limit + slack;
            return records.stream()
                    .sorted((x, y) -> ORDER.compare(rank(x), rank(y)))
                    .limit(most)
                    .toList();
        }

        SortedWindow window(Collection<AfterImage> records) {
            List<AfterImage> evaluated = evaluate(records);
            return SortedWindow.of(ORDER, offset, limit, slack, evaluated, evaluated.size() == records.size());
        }

        List<String> ids(Collection<AfterImage> records) {
            return evaluate(records).stream()
                    .skip(offset)
                    .limit(limit == 0 ? Long.MAX_VALUE : limit)
                    .map(AfterImage::recordId)
                    .toList();
        }

        private static SortOrder.Rank rank(AfterImage image) {
            return ORDER.rank(image.recordId(), image.image().orElseThrow());
        }
    }

    @Property(tries = 400, seed = "73")
    void theWindowAndItsChangesAreThoseOfANewEvaluation(@ForAll long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        Query query = new Query(random.nextInt(4), random.nextInt(6), 1 + random.nextInt(4));
        Map<String, AfterImage> records = new HashMap<>();
        SortedWindow window = query.window(records.values());
        List<String> client = new ArrayList<>();
        for (int version = 1; version < 200; version++) {
            String id = "r" + random.nextInt(14);
            AfterImage image = image(random, id, version);
            boolean isDelete = random.nextInt(3) == 0;
            ChangeKind kind = isDelete ? ChangeKind.REMOVE : ChangeKind.ADD;
            if (isDelete) {
                image = AfterImage.deletion("c", id, version, 0);
                records.remove(id);
            } else if (records.put(id, image) != null) {
                kind = ChangeKind.CHANGE;
            }
            WindowUpdate update = window.apply(new Match("q", kind, image));
            assertThat(update.isUsedUp()).isEqualTo(window.isUsedUp());
            if (update.isUsedUp()) {
                assertThat(records.size()).isGreaterThanOrEqualTo(window.known().size());
                window = query.window(records.values());
                client = new ArrayList<>(window.recordIds());
            } else {
                assertThat(update.changes()).hasSizeLessThanOrEqualTo(2);
                update.changes().forEach(new Client(client)::apply);
            }
            assertThat(window.recordIds()).isEqualTo(query.ids(records.values()));
            assertThat(client).isEqualTo(window.recordIds());
            // A repeated match changes nothing.
            assertThat(window.apply(new Match("q", kind, image)).changes()).isEmpty();
        }
    }

    @Property(tries = 200, seed = "74")
    void aWindowIsNotUsedUpBeforeSlackRecordsLeft(@ForAll long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        Map<String, AfterImage> records = new HashMap<>();
        for (int i = 0; i < 50; i++) {
            records.put("r" + i, image(random, "r" + i, 1));
        }
        Query query = new Query(2, 5, 7);
        SortedWindow window = query.window(records.values());
        for (int left = 0; left < 7; left++) {
            assertThat(window.slack()).isEqualTo(7 - left);
            String first = window.recordIds().get(0);
            Match leaves = new Match("q", ChangeKind.REMOVE, AfterImage.deletion("c", first, 2, 0));
            assertThat(window.apply(leaves).isUsedUp()).isFalse();
        }
        Match last = new Match(
                "q",
                ChangeKind.REMOVE,
                AfterImage.deletion("c", window.recordIds().get(0), 2, 0));
        assertThat(window.apply(last).isUsedUp()).isTrue();
    }

    private static AfterImage image(SplittableRandom random, String id, int version) {
        Document.DocumentBuilder image = Document.builder().put("a", random.nextInt(5));
        if (random.nextBoolean()) {
            image.put("b", random.nextInt(2));
        }
        return AfterImage.of("c", id, version, 0, image.build());
    }

    /** A reader that gets only the changes. */
    private record Client(List<String> ids) {
        void apply(WindowChange change) {
            if (change.fromIndex() >= 0) {
                assertThat(ids.remove(change.fromIndex())).isEqualTo(change.recordId());
            }
            if (change.toIndex() >= 0) {
                ids.add(change.toIndex(), change.recordId());
            }
            if (change.kind() == ChangeKind.CHANGE) {
                assertThat(change.fromIndex()).isEqualTo(change.toIndex());
            }
        }
    }
}
