package io.kipimo.operators.invalidation;

import static org.assertj.core.api.Assertions.assertThat;

import io.kipimo.schemas.caching.CachedKind;
import io.kipimo.schemas.caching.Invalidation;
import io.kipimo.schemas.caching.InvalidationBuilder;
import io.kipimo.schemas.caching.InvalidationMode;
import io.kipimo.schemas.caching.ResultChange;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SplittableRandom;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.apache.flink.api.common.serialization.SerializerConfigImpl;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.streaming.util.KeyedOneInputStreamOperatorTestHarness;

/**
 * Notifications with late ones among them, watermarks, and failovers that lose the end of the log: each is sent once,
 * numbers have no gaps, and the published frontier holds.
 */
class NotifierPropertyTest {
    private static final int PARTITIONS = 3;
    private static final InvalidationSettings SETTINGS =
            new InvalidationSettings(1, 1, 10_000, 1_000, 1, 0, 1, PARTITIONS);
    private static final SpreadKeys KEYS = SpreadKeys.of(PARTITIONS);

    @Property(tries = 40, seed = "43")
    void theFrontierIsExactAndEachIsToldOnce(@ForAll long seed) throws Exception {
        new Scenario(new SplittableRandom(seed)).run();
    }

    /** A notification, or a watermark if it is null. */
    private record Event(Notification notification, long millis) {}

    /** The topic, as it is there; the harness copies operators, so it is found by number. */
    private static final Map<Long, Map<Integer, List<Invalidation>>> LOGS = new HashMap<>();

    private record MemoryLog(long number, long epoch) implements NotificationLog {
        @Override
        public Resumption resume(int partition, OptionalLong from) {
            List<Invalidation> entries = LOGS.get(number).get(partition);
            List<String> sent = new ArrayList<>();
            long latest = 0;
            long completeBefore = 0;
            for (Invalidation entry : entries.subList((int) from.orElse(0), entries.size())) {
                completeBefore = Math.max(completeBefore, entry.completeBeforeMillis());
                if (!entry.isMark()) {
                    latest = Math.max(latest, entry.writtenMillis());
                    sent.add(new Notification(entry, 1, 0).identity());
                }
            }
            return new Resumption(epoch, entries.size(), sent, latest, completeBefore);
        }
    }

    private static final class Scenario {
        private final SplittableRandom random;
        private final long number;
        private final Map<Integer, List<Invalidation>> log = new HashMap<>();
        private final List<Event> events = new ArrayList<>();
        private final Set<String> inTime = new HashSet<>();
        private long epoch;

        Scenario(SplittableRandom random) {
            this.random = random;
            this.number = random.nextLong();
            for (int partition = 0; partition < PARTITIONS; partition++) {
                log.put(partition, new ArrayList<>());
            }
            LOGS.put(number, log);
            long newest = 1_000;
            long watermark = 0;
            for (int i = 0; i < 200; i++) {
                newest += random.nextInt(400);
                if (random.nextInt(3) == 0) {
                    watermark = newest - 1_000;
                    events.add(new Event(null, watermark));
                } else {
                    long written = Math.max(1, newest - random.nextInt(1_300));
                    Notification one = notification(i, written);
                    events.add(new Event(one, written));
                    if (written > watermark) {
                        inTime.add(one.identity());
                    }
                }
            }
        }

        private Notification notification(int version, long written) {
            return new Notification(
                    InvalidationBuilder.builder()
                            .service("shop")
                            .table("posts")
                            .key("/q" + random.nextInt(4))
                            .kind(CachedKind.QUERY)
                            .change(ResultChange.ADDED)
                            .record("r")
                            .version(version)
                            .writtenMillis(written)
                            .mode(InvalidationMode.HARD)
                            .build(),
                    1,
                    0);
        }

        private KeyedOneInputStreamOperatorTestHarness<Integer, Notification, Notification> harness() throws Exception {
            var harness = new KeyedOneInputStreamOperatorTestHarness<>(
                    new NotifierOperator(new MemoryLog(number, ++epoch), SETTINGS),
                    n -> KEYS.key(InvalidationFlow.partition(n, PARTITIONS)),
                    Types.INT,
                    128,
                    1,
                    0);
            harness.setup(InvalidationFormats.NOTIFICATION.typeInfo().createSerializer(new SerializerConfigImpl()));
            return harness;
        }

        void run() throws Exception {
            int position = 0;
            int checkpointed = 0;
            Map<Integer, Integer> flushed = new HashMap<>();
            OperatorSubtaskState state = null;
            var harness = harness();
            harness.open();
            while (position < events.size()) {
                int fate = random.nextInt(20);
                if (fate == 0) {
                    state = harness.snapshot(position, position);
                    checkpointed = position;
                    log.forEach((partition, entries) -> flushed.put(partition, entries.size()));
                } else if (fate == 1 && state != null) {
                    harness.close();
                    log.forEach((p, entries) -> loseTheEnd(entries, flushed.get(p)));
                    harness = harness();
                    harness.initializeState(state);
                    harness.open();
                    position = checkpointed;
                } else {
                    Event event = events.get(position++);
                    if (event.notification() == null) {
                        harness.processWatermark(event.millis());
                    } else {
                        harness.processElement(event.notification(), event.millis());
                    }
                    harness.extractOutputValues()
                            .forEach(n -> log.get(n.invalidation().partition()).add(n.invalidation()));
                    harness.getOutput().clear();
                }
            }
            harness.close();
            check();
            LOGS.remove(number);
        }

        /** What was sent after the last checkpoint need not have come. */
        private void loseTheEnd(List<Invalidation> entries, int from) {
            int kept = from + random.nextInt(entries.size() - from + 1);
            entries.subList(kept, entries.size()).clear();
        }

        private void check() {
            List<String> told = new ArrayList<>();
            for (List<Invalidation> entries : log.values()) {
                long frontier = 0;
                for (int i = 0; i < entries.size(); i++) {
                    Invalidation entry = entries.get(i);
                    assertThat(entry.sequence()).isEqualTo(i);
                    assertThat(entry.completeBeforeMillis()).isGreaterThanOrEqualTo(frontier);
                    if (!entry.isMark()) {
                        String identity = new Notification(entry, 1, 0).identity();
                        told.add(identity);
                        assertThat(entry.writtenMillis() < frontier && inTime.contains(identity))
                                .as("%s behind %d", entry, frontier)
                                .isFalse();
                        assertThat(entry.isLate() && inTime.contains(identity)).isFalse();
                    }
                    frontier = entry.completeBeforeMillis();
                }
                long newestMark = frontier;
                events.stream()
                        .filter(event -> event.notification() == null)
                        .mapToLong(Event::millis)
                        .max()
                        .ifPresent(last -> assertThat(last - newestMark).isLessThan(1_000));
            }
            assertThat(told).doesNotHaveDuplicates();
            assertThat(told)
                    .containsExactlyInAnyOrderElementsOf(events.stream()
                            .filter(event -> event.notification() != null)
                            .map(event -> event.notification().identity())
                            .toList());
        }
    }
}
