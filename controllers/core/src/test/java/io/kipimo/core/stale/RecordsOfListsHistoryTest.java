package io.kipimo.core.stale;

import static org.assertj.core.api.Assertions.assertThat;

import io.kipimo.core.stale.FreshnessSession.FreshnessVerdict;
import io.kipimo.core.stale.FreshnessSession.ReadName;
import io.kipimo.core.stale.FreshnessSession.RequestWay;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The column of {@link ConsistencyTest} with lists: a session keeps their records, too, before hostile caches: they
 * answer with any copy that has not expired, the oldest as often as not. Marks are late and clocks differ within what
 * {@link RecentKeys} allows. Answers take up to 30 s, and caches count the time to live from when they get them.
 */
class RecordsOfListsHistoryTest {
    private static final int SEEDS = 15;
    private static final int KEYS = 12;
    private static final int LISTS = 3;

    /** Nobody but the session reads the others by themselves, so the filter seldom knows them. */
    private static final int READ_BY_OTHERS = 6;

    private static final long DELTA_MILLIS = 1_000;

    private static final long TTL_MILLIS = 20_000;
    private static final int LONGEST_DELAY_MILLIS = 30_000;

    private static final long END_MILLIS = 120_000;

    /** @param records those of a list, with their versions */
    private record Copy(long version, long evaluatedMillis, long receivedMillis, Map<String, Long> records) {}

    /** A record that the session has from a list. */
    private record Part(String list, Copy copy) {}

    private record Mark(long millis, String key, long version) {}

    /** One session, other clients' reads and writes, and the caches between. */
    private static final class World {
        final SplittableRandom random;
        final ReadHistory history = new ReadHistory(DELTA_MILLIS);
        final FreshnessSession session = new FreshnessSession(new FreshnessSettings(DELTA_MILLIS, 8, TTL_MILLIS));
        final ExpiringFilter filter =
                new ExpiringFilter(FilterShape.ONE_ROUND_TRIP, TTL_MILLIS + StaleKeys.EXPIRY_SLACK_MILLIS);
        final PriorityQueue<Mark> marks = new PriorityQueue<>((one, two) -> Long.compare(one.millis(), two.millis()));
        final Map<String, List<Copy>> copies = new HashMap<>();
        final Map<String, Long> versions = new HashMap<>();
        final Map<String, Part> parts = new HashMap<>();
        boolean looksForLists = true;
        long readsOfParts;
        final boolean hasWindows;
        final long clockMillis;
        long now = 1_000_000;
        long filterMillis;

        World(long seed) {
            random = new SplittableRandom(seed);
            hasWindows = seed % 4 != 0;
            clockMillis = random.nextLong(1 - RecentKeys.CLOCK_ERROR_MILLIS, RecentKeys.CLOCK_ERROR_MILLIS);
        }

        /** Time passes, in which others read and write. */
        void pass(int most) {
            long end = now + 1 + random.nextInt(most);
            while (now < end) {
                now = Math.min(end, now + 1 + random.nextInt(20));
                while (!marks.isEmpty() && marks.peek().millis() <= now) {
                    Mark mark = marks.poll();
                    filter.invalidate(mark.key(), now);
                    history.marked(mark.key(), mark.version(), now);
                }
                switch (random.nextInt(100)) {
                    case 0 -> write(anyKey());
                    case 1, 2, 3, 4, 5, 6 -> origin("k" + random.nextInt(READ_BY_OTHERS));
                    case 7 -> origin("l" + random.nextInt(LISTS));
                    default -> {}
                }
            }
        }

        String anyKey() {
            return "k" + random.nextInt(KEYS);
        }

        static String listOf(String key) {
            return "l" + Integer.parseInt(key.substring(1)) % LISTS;
        }

        long write(String key) {
            long marked = now + random.nextInt(3_000);
            for (String changed : List.of(key, listOf(key))) {
                long version = versions.merge(changed, 1L, Long::sum);
                history.committed(changed, version, now);
                marks.add(new Mark(marked, changed, version));
            }
            return versions.get(key);
        }

        /** The origin stamps, reports and evaluates the read; some cache keeps the answer, which may come late. */
        Copy origin(String key) {
            filter.reportRead(key, now + TTL_MILLIS + StaleKeys.EXPIRY_SLACK_MILLIS, now);
            long received = now + (random.nextInt(3) == 0 ? random.nextInt(LONGEST_DELAY_MILLIS) : 0);
            Map<String, Long> records = new HashMap<>();
            for (int i = 0; i < KEYS; i++) {
                if (listOf("k" + i).equals(key)) {
                    records.put("k" + i, versions.getOrDefault("k" + i, 0L));
                }
            }
            Copy copy = new Copy(versions.getOrDefault(key, 0L), now - clockMillis, received, records);
            copies.computeIfAbsent(key, k -> new ArrayList<>()).add(copy);
            return copy;
        }

        Copy cached(String key) {
            List<Copy> all = copies.computeIfAbsent(key, k -> new ArrayList<>());
            all.removeIf(copy -> copy.receivedMillis() + TTL_MILLIS <= now);
            List<Copy> there =
                    all.stream().filter(copy -> copy.receivedMillis() <= now).toList();
            if (there.isEmpty()) {
                return origin(key);
            }
            return there.get(random.nextBoolean() ? 0 : random.nextInt(there.size()));
        }

        /** Whether a client takes a copy for one that has ended. */
        boolean isOver(Copy copy) {
            long clock = session.filterClock(now).orElse(now);
            return copy.evaluatedMillis() + TTL_MILLIS <= clock;
        }

        void read(Consistency promised, Consistency used) {
            if (now - filterMillis > 700) {
                filterMillis = now;
                session.refresh(filter.flat(now), hasWindows ? filter.recent(now) : RecentKeys.NONE, filterMillis);
            }
            String key = random.nextInt(4) == 0 ? "l" + random.nextInt(LISTS) : anyKey();
            long begin = now;
            RequestWay way = session.decide(ReadName.of(key), used, now);
            Part part = parts.get(key);
            if (part != null && isUsable(part, key, way, used)) {
                if (session.judge(ReadName.of(key), part.copy().version(), used) == FreshnessVerdict.TAKE) {
                    readsOfParts++;
                    end(promised, key, part.copy(), begin);
                    return;
                }
                way = RequestWay.REVALIDATE;
            }
            pass(30);
            if (way == RequestWay.CACHED || way == RequestWay.PROVEN) {
                Copy copy = cached(key);
                pass(30);
                session.received(copy.evaluatedMillis(), now);
                if ((way == RequestWay.CACHED || session.isProven(key, copy.evaluatedMillis(), used, now))
                        && !isOver(copy)
                        && session.judge(ReadName.of(key), copy.version(), used) == FreshnessVerdict.TAKE) {
                    end(promised, key, copy, begin);
                    return;
                }
            }
            long asked = now;
            pass(30);
            Copy copy = origin(key);
            pass(random.nextInt(50) == 0 ? LONGEST_DELAY_MILLIS : 30);
            session.received(copy.evaluatedMillis(), now);
            session.revalidated(key, copy.version(), asked);
            end(promised, key, copy, begin);
        }

        private boolean isUsable(Part part, String key, RequestWay way, Consistency used) {
            Copy copy = part.copy();
            return (!looksForLists || session.isCurrentIn(part.list(), copy.evaluatedMillis(), now))
                    && !isOver(copy)
                    && copy.receivedMillis() + TTL_MILLIS > now
                    && (way == RequestWay.CACHED
                            || (way == RequestWay.PROVEN && session.isProven(key, copy.evaluatedMillis(), used, now)));
        }

        /** The session keeps the records of a list, the newest of each. */
        private void end(Consistency promised, String key, Copy copy, long begin) {
            history.read("session", promised, key, copy.version(), begin);
            copy.records().forEach((record, version) -> {
                Part part = new Part(key, new Copy(version, copy.evaluatedMillis(), copy.receivedMillis(), Map.of()));
                parts.merge(
                        record,
                        part,
                        (own, other) -> other.copy().version() >= own.copy().version() ? other : own);
            });
        }

        void ownWrite() {
            String key = anyKey();
            pass(30);
            long version = write(key);
            pass(30);
            session.wrote(key, version, now);
            parts.remove(key);
            history.wrote("session", key, version);
        }
    }

    /** A session's reads have levels in turn, or one. */
    private static World run(long seed, List<Consistency> promised, List<Consistency> used) {
        return run(new World(seed), promised, used);
    }

    private static World run(World world, List<Consistency> promised, List<Consistency> used) {
        long end = world.now + END_MILLIS;
        while (world.now < end) {
            world.pass(60);
            if (world.random.nextInt(15) == 0) {
                world.ownWrite();
            } else {
                int choice = world.random.nextInt(promised.size());
                world.read(promised.get(choice), used.get(choice));
            }
        }
        return world;
    }

    private static List<String> violations(List<Consistency> promised, List<Consistency> used) {
        List<String> all = new ArrayList<>();
        long readsOfParts = 0;
        for (long seed = 1; seed <= SEEDS; seed++) {
            World world = run(seed, promised, used);
            assertThat(world.history.reads()).isGreaterThan(100);
            readsOfParts += world.readsOfParts;
            for (String violation : world.history.violations()) {
                all.add("seed " + seed + ": " + violation);
            }
        }
        // A copy that came before the last read of something new is not causal.
        if (!used.contains(Consistency.STRONG) && !used.contains(Consistency.CAUSAL)) {
            assertThat(readsOfParts).isGreaterThan(20L * SEEDS);
        }
        return all;
    }

    @ParameterizedTest
    @EnumSource
    void everyLevelKeepsItsPromise(Consistency level) {
        assertThat(violations(List.of(level), List.of(level))).isEmpty();
    }

    /** The filter has a changed list, and seldom its record. */
    @Test
    void aRecordOfAListThatChangedIsNotUsed() {
        long broken = 0;
        for (long seed = 1; seed <= 5; seed++) {
            World world = new World(seed);
            world.looksForLists = false;
            List<Consistency> delta = List.of(Consistency.DELTA);
            broken += run(world, delta, delta).history.violations().size();
        }
        assertThat(broken).isPositive();
    }
}
