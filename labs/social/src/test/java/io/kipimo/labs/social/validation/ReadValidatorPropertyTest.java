package io.kipimo.labs.social.validation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/** Compares with histories whose true state is known, and with an exhaustive search. */
class ReadValidatorPropertyTest {
    private static final int SETS = 2;
    private static final int ELEMENTS = 4;
    private static final int TIME = 60;

    /** A write that took effect {@code at} a time that the validator does not know. */
    private record Done(List<Change> changes, int start, int end, int at) {}

    private record Look(int start, int end, List<Set<Long>> sets) {}

    private static final class History {
        final List<Done> writes = new ArrayList<>();
        final List<Look> honest = new ArrayList<>();
        final List<Look> any = new ArrayList<>();
        final Random random;

        History(long seed) {
            random = new Random(seed);
            int[][] freeFrom = new int[SETS][ELEMENTS];
            boolean[][] in = new boolean[SETS][ELEMENTS];
            for (int i = 0; i < 12; i++) {
                write(freeFrom, in);
            }
            for (int i = 0; i < 12; i++) {
                int start = odd(random.nextInt(TIME - 10));
                int end = odd(start + 2 + random.nextInt(10));
                int at = start + random.nextInt(end - start + 1);
                honest.add(new Look(start, end, truth(at)));
                any.add(new Look(start, end, truth(random.nextInt(TIME))));
                any.add(new Look(start, end, random()));
            }
        }

        /** Reads begin and end at odd times, writes at even ones, so no two events coincide. */
        private static int odd(int time) {
            return time | 1;
        }

        private void write(int[][] freeFrom, boolean[][] in) {
            int element = random.nextInt(ELEMENTS);
            boolean both = random.nextBoolean();
            int first = random.nextInt(SETS);
            int earliest = freeFrom[first][element];
            if (both) {
                earliest = Math.max(earliest, freeFrom[1 - first][element]);
            }
            int start = earliest + 2 * random.nextInt(6);
            int end = start + 2 + 2 * random.nextInt(6);
            if (end >= TIME) {
                return;
            }
            List<Change> changes = new ArrayList<>();
            for (int set = 0; set < SETS; set++) {
                if (set == first || both) {
                    in[set][element] = !in[set][element];
                    changes.add(new Change(new SetId(0, set), element, in[set][element]));
                    freeFrom[set][element] = end + 2;
                }
            }
            writes.add(new Done(changes, start, end, start + random.nextInt(end - start + 1)));
        }

        private List<Set<Long>> truth(int time) {
            return apply(writes.stream().filter(w -> w.at <= time).toList());
        }

        private List<Set<Long>> random() {
            List<Set<Long>> sets = new ArrayList<>();
            for (int set = 0; set < SETS; set++) {
                Set<Long> one = new TreeSet<>();
                for (long e = 0; e < ELEMENTS; e++) {
                    if (random.nextInt(3) == 0) {
                        one.add(e);
                    }
                }
                sets.add(one);
            }
            return sets;
        }

        /** Ordered as writes of one element took effect. */
        private static List<Set<Long>> apply(List<Done> done) {
            List<Set<Long>> sets = new ArrayList<>();
            for (int set = 0; set < SETS; set++) {
                sets.add(new TreeSet<>());
            }
            done.stream()
                    .sorted(Comparator.comparingInt(Done::start))
                    .flatMap(w -> w.changes.stream())
                    .forEach(c -> {
                        Set<Long> set = sets.get((int) c.set().owner());
                        if (c.add()) {
                            set.add(c.element());
                        } else {
                            set.remove(c.element());
                        }
                    });
            return sets;
        }

        /** Tries every moment of {@code from..to} and every choice of the writes under way. */
        private boolean possible(Look look, int from, int to) {
            for (int time = from; time <= to; time++) {
                int moment = time;
                // At the end of the read, later writes are unknown.
                List<Done> begun =
                        writes.stream().filter(w -> w.start < look.end).toList();
                List<Done> must = begun.stream().filter(w -> w.end < moment).toList();
                List<Done> may = begun.stream()
                        .filter(w -> w.start <= moment && w.end >= moment)
                        .toList();
                for (int choice = 0; choice < 1 << may.size(); choice++) {
                    List<Done> done = new ArrayList<>(must);
                    for (int i = 0; i < may.size(); i++) {
                        if ((choice & (1 << i)) != 0) {
                            done.add(may.get(i));
                        }
                    }
                    if (apply(done).equals(look.sets)) {
                        return true;
                    }
                }
            }
            return false;
        }

        /** Passes all events to the validator in order; returns the verdicts by read. */
        Map<Look, ReadVerdict> judge(List<Look> looks) {
            ReadValidator validator = new ReadValidator(set -> new long[0], Long.MAX_VALUE / 2);
            Map<Look, ReadVerdict> verdicts = new HashMap<>();
            Map<Done, Write> open = new HashMap<>();
            for (int time = 0; time <= 2 * TIME; time++) {
                int now = time;
                writes.stream().filter(w -> w.end == now).forEach(w -> validator.end(open.get(w), now));
                writes.stream().filter(w -> w.start == now).forEach(w -> open.put(w, validator.begin(w.changes, now)));
                looks.stream()
                        .filter(look -> look.end == now)
                        .forEach(look -> verdicts.put(look, validator.judge(look.start, now, seen(look))));
            }
            return verdicts;
        }

        private static List<Seen> seen(Look look) {
            List<Seen> seen = new ArrayList<>();
            for (int set = 0; set < SETS; set++) {
                seen.add(Seen.elements(
                        new SetId(0, set),
                        look.sets.get(set).stream().mapToLong(e -> e).toArray()));
            }
            return seen;
        }
    }

    @Property(tries = 500, seed = "20131")
    void aStateAtOneTimeOfTheReadIsValid(@ForAll long seed) {
        History history = new History(seed);
        assertThat(history.judge(history.honest).values()).containsOnly(ReadVerdict.VALID);
    }

    @Property(tries = 500, seed = "20132")
    void verdictsAreThoseOfTryingOutEverything(@ForAll long seed) {
        History history = new History(seed);
        history.judge(history.any).forEach((look, verdict) -> {
            boolean valid = history.possible(look, look.start, look.end);
            boolean stale = history.possible(look, -1, look.start - 1);
            assertThat(verdict == ReadVerdict.VALID)
                    .as("%s in %s", look, history.writes)
                    .isEqualTo(valid);
            assertThat(verdict == ReadVerdict.STALE)
                    .as("%s in %s", look, history.writes)
                    .isEqualTo(!valid && stale);
        });
    }
}
