package io.kipimo.core.stale;

import static org.assertj.core.api.Assertions.assertThat;

import io.kipimo.core.Effort;
import io.kipimo.core.stale.FreshnessSession.FreshnessVerdict;
import io.kipimo.core.stale.FreshnessSession.ReadName;
import io.kipimo.core.stale.FreshnessSession.RequestWay;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Sessions before hostile caches: they answer with any copy that has not expired, the oldest as often as not. Marks are
 * late and clocks differ within what {@link RecentKeys} allows. Answers take up to 30 s, and caches count the time to
 * live from when they get them. One session may serve several users, whose answers differ, and may keep the records of
 * lists, too.
 */
class ConsistencyTest {
    private static final int SEEDS = Effort.of(4, 30);
    private static final int SEEDS_OF_EACH_LEVEL = 3;
    private static final int KEYS = 12;
    private static final int LISTS = 3;

    /** With lists, nobody but the session reads the others by themselves, so the filter seldom knows them. */
    private static final int READ_BY_OTHERS = 6;

    private static final long DELTA_MILLIS = 1_000;

    /** Of 1,000 reads. */
    private static final int NOISE = 5;

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
        final Map<Consistency, long[]> originReads = new EnumMap<>(Consistency.class);
        final boolean hasWindows;
        boolean endsAtEvaluation = true;
        int longestDelayMillis = LONGEST_DELAY_MILLIS;

        /** All are served by the session; each has answers of its own. */
        int users = 1;

        /** Each record is in one. */
        int lists;

        final Map<String, Part> parts = new HashMap<>();
        boolean looksForLists = true;
        long readsOfParts;

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
                String key = "k" + random.nextInt(KEYS);
                switch (random.nextInt(100)) {
                    case 0 -> write(key);
                    case 1, 2, 3, 4, 5, 6 -> origin(lists == 0 ? key : "k" + random.nextInt(READ_BY_OTHERS), user());
                    case 7 -> {
                        if (lists > 0) {
                            origin("l" + random.nextInt(lists), user());
                        }
                    }
                    default -> {}
                }
            }
        }

        private int user() {
            return users == 1 ? 0 : random.nextInt(users);
        }

        private ReadName name(String key, int user) {
            String own = key + '\n' + user;
            return users == 1 ? ReadName.of(key) : new ReadName(key, own, own);
        }

        long write(String key) {
            long marked = now + random.nextInt(3_000);
            for (String changed : lists == 0 ? List.of(key) : List.of(key, listOf(key))) {
                long version = versions.merge(changed, 1L, Long::sum);
                history.committed(changed, version, now);
                marks.add(new Mark(marked, changed, version));
            }
            return versions.get(key);
        }

        private String listOf(String key) {
            return "l" + Integer.parseInt(key.substring(1)) % lists;
        }

        private Map<String, Long> recordsOf(String list) {
            Map<String, Long> records = new HashMap<>();
            for (int i = 0; lists > 0 && i < KEYS; i++) {
                if (listOf("k" + i).equals(list)) {
                    records.put("k" + i, versions.getOrDefault("k" + i, 0L));
                }
            }
            return records;
        }

        /** The origin stamps, reports and evaluates the read; some cache keeps the answer, which may come late. */
        Copy origin(String key, int user) {
            filter.reportRead(key, now + TTL_MILLIS + StaleKeys.EXPIRY_SLACK_MILLIS, now);
            long received =
                    now + (longestDelayMillis > 0 && random.nextInt(3) == 0 ? random.nextInt(longestDelayMillis) : 0);
            Copy copy = new Copy(versions.getOrDefault(key, 0L), now - clockMillis, received, recordsOf(key));
            copies.computeIfAbsent(key + '\n' + user, k -> new ArrayList<>()).add(copy);
            return copy;
        }

        Copy cached(String key, int user) {
            List<Copy> all = copies.computeIfAbsent(key + '\n' + user, k -> new ArrayList<>());
            all.removeIf(copy -> copy.receivedMillis() + TTL_MILLIS <= now);
            List<Copy> there =
                    all.stream().filter(copy -> copy.receivedMillis() <= now).toList();
            if (there.isEmpty()) {
                return origin(key, user);
            }
            return there.get(random.nextBoolean() ? 0 : random.nextInt(there.size()));
        }

        /** Whether a client takes a copy for one that has ended. */
        boolean isOver(Copy copy) {
            long clock = session.filterClock(now).orElse(now);
            return endsAtEvaluation && copy.evaluatedMillis() + TTL_MILLIS <= clock;
        }

        void read(Consistency promised, Consistency used) {
            if (now - filterMillis > 700) {
                filterMillis = now;
                session.refresh(filter.flat(now), hasWindows ? filter.recent(now) : RecentKeys.NONE, filterMillis);
            }
            String key = lists > 0 && random.nextInt(4) == 0
                    ? "l" + random.nextInt(lists)
                    : "k" + (int) (KEYS * random.nextDouble() * random.nextDouble());
            int user = user();
            ReadName name = name(key, user);
            long begin = now;
            RequestWay way = session.decide(name, used, now);
            Part part = parts.get(key);
            if (part != null && isUsable(part, key, way, used)) {
                if (session.judge(name, part.copy().version(), used) == FreshnessVerdict.TAKE) {
                    readsOfParts++;
                    end(user, promised, key, part.copy(), begin);
                    return;
                }
                way = RequestWay.REVALIDATE;
            }
            pass(30);
            if (way == RequestWay.CACHED || way == RequestWay.PROVEN) {
                Copy copy = cached(key, user);
                pass(30);
                session.received(copy.evaluatedMillis(), now);
                if ((way == RequestWay.CACHED || session.isProven(key, copy.evaluatedMillis(), used, now))
                        && !isOver(copy)
                        && session.judge(name, copy.version(), used) == FreshnessVerdict.TAKE) {
                    end(user, promised, key, copy, begin);
                    return;
                }
            }
            originReads.computeIfAbsent(promised, p -> new long[1])[0]++;
            long asked = now;
            pass(30);
            Copy copy = origin(key, user);
            pass(longestDelayMillis > 0 && random.nextInt(50) == 0 ? longestDelayMillis : 30);
            session.received(copy.evaluatedMillis(), now);
            session.revalidated(name, copy.version(), asked);
            end(user, promised, key, copy, begin);
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
        private void end(int user, Consistency promised, String key, Copy copy, long begin) {
            history.read("user " + user, promised, key, copy.version(), begin);
            copy.records().forEach((record, version) -> {
                Part part = new Part(key, new Copy(version, copy.evaluatedMillis(), copy.receivedMillis(), Map.of()));
                parts.merge(
                        record,
                        part,
                        (own, other) -> other.copy().version() >= own.copy().version() ? other : own);
            });
        }

        void ownWrite() {
            String key = "k" + random.nextInt(KEYS);
            int user = user();
            pass(30);
            long version = write(key);
            pass(30);
            session.wrote(name(key, user), version, now);
            parts.remove(key);
            history.wrote("user " + user, key, version);
        }
    }

    /** A session's reads have levels in turn, or one. */
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
        return violations(promised, used, 0);
    }

    private static List<String> violations(List<Consistency> promised, List<Consistency> used, int lists) {
        List<String> all = new ArrayList<>();
        long readsOfParts = 0;
        for (long seed = 1; seed <= SEEDS; seed++) {
            World world = new World(seed);
            world.lists = lists;
            world.users = seed % 2 == 0 ? 3 : 1;
            run(world, promised, used);
            assertThat(world.history.reads()).isGreaterThan(100);
            readsOfParts += world.readsOfParts;
            for (String violation : world.history.violations()) {
                all.add("seed " + seed + ": " + violation);
            }
        }
        // A copy that came before the last read of something new is not causal.
        if (lists > 0 && !used.contains(Consistency.STRONG) && !used.contains(Consistency.CAUSAL)) {
            assertThat(readsOfParts).isGreaterThan(20L * SEEDS);
        }
        return all;
    }

    @ParameterizedTest
    @EnumSource
    void everyLevelKeepsItsPromise(Consistency level) {
        assertThat(violations(List.of(level), List.of(level))).isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    void everyLevelKeepsItsPromise_withRecordsOfLists(Consistency level) {
        assertThat(violations(List.of(level), List.of(level), LISTS)).isEmpty();
    }

    /** The filter has a changed list, and seldom its record. */
    @Test
    void aRecordOfAListThatChangedIsNotUsed() {
        long broken = 0;
        for (long seed = 1; seed <= 5; seed++) {
            World world = new World(seed);
            world.lists = LISTS;
            world.looksForLists = false;
            List<Consistency> delta = List.of(Consistency.DELTA);
            broken += run(world, delta, delta).history.violations().size();
        }
        assertThat(broken).isPositive();
    }

    @Test
    void readsOfDifferentLevelsShareASession() {
        List<Consistency> all = Arrays.asList(Consistency.values());
        assertThat(violations(all, all)).isEmpty();
    }

    /** So the histories are hard enough, and the checker sees faults. */
    @Test
    void aWeakerLevelBreaksTheStrongerPromise() {
        List<Consistency> delta = List.of(Consistency.DELTA);
        assertThat(violations(List.of(Consistency.MONOTONIC_READS), delta)).anyMatch(v -> v.contains("went back"));
        assertThat(violations(List.of(Consistency.READ_YOUR_WRITES), delta))
                .anyMatch(v -> v.contains("missed its own write"));
        List<Consistency> session = List.of(Consistency.SESSION);
        assertThat(violations(List.of(Consistency.CAUSAL), session))
                .anyMatch(v -> v.contains("not causal"))
                .allMatch(v -> v.contains("not causal"));
        assertThat(violations(List.of(Consistency.STRONG), List.of(Consistency.CAUSAL)))
                .anyMatch(v -> v.contains("not strong"));
    }

    /** The origin answers more reads the more a level promises. */
    @Test
    void aLevelCostsNoMoreThanItNeeds() {
        Map<Consistency, Long> atOrigin = new EnumMap<>(Consistency.class);
        for (Consistency level : Consistency.values()) {
            long sum = 0;
            long reads = 0;
            for (long seed = 1; seed <= SEEDS; seed++) {
                World world = new World(seed);
                world.longestDelayMillis = 0;
                run(world, List.of(level), List.of(level));
                sum += world.originReads.getOrDefault(level, new long[1])[0];
                reads += world.history.reads();
            }
            atOrigin.put(level, 1_000 * sum / reads);
        }
        assertThat(atOrigin.get(Consistency.DELTA))
                .as("reads at the origin of 1,000: %s", atOrigin)
                .isLessThan(atOrigin.get(Consistency.MONOTONIC_READS));
        assertThat(atOrigin.get(Consistency.MONOTONIC_READS)).isLessThan(atOrigin.get(Consistency.SESSION));
        // Histories differ, and own writes are few.
        assertThat(atOrigin.get(Consistency.READ_YOUR_WRITES)).isLessThan(atOrigin.get(Consistency.SESSION) + NOISE);
        assertThat(atOrigin.get(Consistency.SESSION)).isLessThan(atOrigin.get(Consistency.CAUSAL));
        assertThat(atOrigin.get(Consistency.CAUSAL)).isLessThan(atOrigin.get(Consistency.STRONG));
        System.out.println("reads at the origin of 1,000 by level: " + atOrigin);
    }

    /** By level, so that a level that another one hides is seen, too. */
    @Tag("full")
    @Test
    void noReadIsBrokenByAnyLevelAlone() {
        for (Consistency level : Consistency.values()) {
            long reads = 0;
            for (int users : List.of(1, 3)) {
                for (int delayMillis : List.of(0, 8_000, LONGEST_DELAY_MILLIS)) {
                    for (long seed = 1; seed <= SEEDS_OF_EACH_LEVEL; seed++) {
                        World world = new World(seed);
                        world.users = users;
                        world.longestDelayMillis = delayMillis;
                        run(world, List.of(level), List.of(level));
                        reads += world.history.reads();
                        assertThat(world.history.violations())
                                .as("%s, %s users, %s ms", level, users, delayMillis)
                                .isEmpty();
                    }
                }
            }
            System.out.println("reads at " + level + " without a broken promise: " + reads);
        }
    }

    /** A client that counts the time to live from the receipt, as caches do. */
    @Test
    void aCopyThatOutlivesItsKeyInTheFilterBreaksTheBound() {
        long broken = 0;
        for (long seed = 1; seed <= 5; seed++) {
            World world = new World(seed);
            world.endsAtEvaluation = false;
            List<Consistency> delta = List.of(Consistency.DELTA);
            broken += run(world, delta, delta).history.violations().size();
        }
        assertThat(broken).isPositive();
    }
}
