package io.kipimo.bench.foreseen;

import io.kipimo.core.arbitration.CopyBudget;
import java.util.Comparator;
import java.util.SplittableRandom;
import java.util.function.IntPredicate;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;

/**
 * Good answers if some calls had been copied to another server. A copy takes as long as a recent call to the same
 * component, drawn once for each call, and adds no load. The first result counts.
 */
final class Copies {
    /** Quality of a good answer. */
    static final double GOOD = 0.9;

    /** Queries of which the calls are recent. */
    private static final int RECENT = 500;

    /** Number of queries after which recent calls and thresholds are renewed. */
    private static final int BLOCK = 200;

    private final Recording recording;
    private final long thirdMicros;
    private final double[][] scores;

    /** By block and component: latencies of recent calls, ascending; null: too few are known. */
    private final long[][][] recent;

    private final long[][] drawnMicros;
    private final int first;

    /**
     * What came of a plan.
     *
     * @param good share of the answers that are good; NaN: too few for any plan
     * @param copies as a share of the calls
     */
    record PlanOutcome(double good, double copies) {}

    /** Decides on one call. */
    private interface CopyPlan {
        /**
         * When the call is copied if it is still outstanding, after its start; {@link RecordedQuery#NEVER}: it is not.
         */
        long afterMicros(int query, int component);
    }

    /**
     * Copies for a recording.
     *
     * @param scores of each call that is outstanding at a third of the deadline; NaN: unknown
     */
    Copies(Recording recording, double[][] scores, long seed) {
        this.recording = recording;
        this.scores = scores;
        thirdMicros = Moment.THIRD.micros(recording.deadlineMicros());
        int blocks = (recording.size() + BLOCK - 1) / BLOCK;
        recent = new long[blocks][][];
        drawnMicros = new long[recording.size()][recording.components()];
        SplittableRandom random = new SplittableRandom(seed);
        int known = 0;
        for (int block = 0; block < blocks; block++) {
            while (recording.isKnown(known, recording.query(block * BLOCK).startMicros())) {
                known++;
            }
            if (known >= RECENT) {
                recent[block] = recent(known);
                for (int i = block * BLOCK; i < Math.min(recording.size(), (block + 1) * BLOCK); i++) {
                    for (int c = 0; c < recording.components(); c++) {
                        drawnMicros[i][c] = recent[block][c][random.nextInt(RECENT)];
                    }
                }
            }
        }
        // A block has its threshold from the one before.
        first = IntStream.range(1, blocks)
                .filter(block -> recent[block] != null && !Double.isNaN(threshold(block, 1)))
                .map(block -> block * BLOCK)
                .findFirst()
                .orElse(recording.size());
    }

    private long[][] recent(int known) {
        return IntStream.range(0, recording.components())
                .mapToObj(c -> IntStream.range(known - RECENT, known)
                        .mapToLong(n -> recording.query(recording.known(n)).latencyMicros()[c])
                        .sorted()
                        .toArray())
                .toArray(long[][]::new);
    }

    /**
     * Score above which calls of the block before would have been copied within a share of all calls; NaN: none has
     * one.
     */
    private double threshold(int block, double share) {
        double[] descending = IntStream.range((block - 1) * BLOCK, block * BLOCK)
                .mapToObj(i -> scores[i])
                .flatMapToDouble(DoubleStream::of)
                .filter(score -> !Double.isNaN(score))
                .map(score -> -score)
                .sorted()
                .toArray();
        int copies = (int) (share * BLOCK * recording.components());
        return descending.length == 0 ? Double.NaN : -descending[Math.min(copies, descending.length) - 1];
    }

    /** Answers as they were. */
    PlanOutcome none() {
        return judge((i, c) -> RecordedQuery.NEVER);
    }

    /** At a third of the deadline, calls with the greatest scores, as long as there is budget. */
    PlanOutcome foreseen(double share) {
        double[] thresholds = IntStream.range(0, recent.length)
                .mapToDouble(block -> block == 0 ? Double.NaN : threshold(block, share))
                .toArray();
        CopyBudget budget = new CopyBudget(share);
        return judge((i, c) -> {
            budget.onRequest();
            return scores[i][c] >= thresholds[i / BLOCK] && budget.take(1) == 1 ? thirdMicros : RecordedQuery.NEVER;
        });
    }

    /**
     * Any call that is later than a quantile of the recent ones to its component, at a third of the deadline at the
     * latest, as long as there is budget.
     */
    PlanOutcome hedged(double share) {
        CopyBudget budget = new CopyBudget(share);
        return judge((i, c) -> {
            budget.onRequest();
            long[] ascending = recent[i / BLOCK][c];
            long after = Math.min(thirdMicros, ascending[(int) ((1 - share) * (ascending.length - 1))]);
            boolean isCopied = recording.query(i).latencyMicros()[c] > after && budget.take(1) == 1;
            return isCopied ? after : RecordedQuery.NEVER;
        });
    }

    /** At a third of the deadline, the fewest calls whose copies make an answer good, of those that need fewest. */
    PlanOutcome oracle(double share) {
        long[] chosen = new long[recording.size()];
        long left = (long) (share * (recording.size() - first) * recording.components());
        for (int i = first; i < recording.size(); i++) {
            chosen[i] = fewest(i);
        }
        int[] order = IntStream.range(first, recording.size())
                .boxed()
                .sorted(Comparator.comparingInt(i -> Long.bitCount(chosen[i])))
                .mapToInt(i -> i)
                .toArray();
        for (int i : order) {
            int copies = Long.bitCount(chosen[i]);
            chosen[i] = copies <= left ? chosen[i] : 0;
            left -= Long.bitCount(chosen[i]);
        }
        return judge((i, c) -> isIn(chosen[i]).test(c) ? thirdMicros : RecordedQuery.NEVER);
    }

    /** The calls, one bit each, greatest gain first; 0: the answer is good, or no copies make it so. */
    private long fewest(int number) {
        RecordedQuery query = recording.query(number);
        long late = query.outstanding(recording.deadlineMicros())
                .mapToLong(c -> 1L << c)
                .sum();
        long chosen = 0;
        while (query.quality(isIn(~late | chosen)) < GOOD) {
            long had = ~late | chosen;
            int best = query.outstanding(recording.deadlineMicros())
                    .filter(c -> !isIn(had).test(c) && thirdMicros + drawn(number, c) <= recording.deadlineMicros())
                    .boxed()
                    .max(Comparator.comparingDouble(c -> query.quality(isIn(had | 1L << c))))
                    .orElse(-1);
            if (best < 0) {
                return 0;
            }
            chosen |= 1L << best;
        }
        return chosen;
    }

    private static IntPredicate isIn(long components) {
        return c -> (components >>> c & 1) == 1;
    }

    private long drawn(int query, int component) {
        // A result that did not come does not come later.
        return Math.min(recording.deadlineMicros() + 1, drawnMicros[query][component]);
    }

    private PlanOutcome judge(CopyPlan plan) {
        long good = 0;
        long copies = 0;
        for (int i = first; i < recording.size(); i++) {
            RecordedQuery query = recording.query(i);
            long inTime = 0;
            for (int c = 0; c < recording.components(); c++) {
                long after = plan.afterMicros(i, c);
                boolean isCopied = query.latencyMicros()[c] > after;
                copies += isCopied ? 1 : 0;
                boolean isInTime = query.latencyMicros()[c] <= recording.deadlineMicros()
                        || (isCopied && after + drawn(i, c) <= recording.deadlineMicros());
                inTime |= isInTime ? 1L << c : 0;
            }
            good += query.quality(isIn(inTime)) >= GOOD ? 1 : 0;
        }
        double answers = recording.size() - first;
        return new PlanOutcome(good / answers, copies / Math.max(1, answers * recording.components()));
    }
}
