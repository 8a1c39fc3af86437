package io.kipimo.core.quality.deadline;

import io.kipimo.core.quality.merge.Part;
import io.kipimo.core.quality.merge.TrecOrder;
import io.kipimo.core.quality.similarity.Ranking;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;

/**
 * Answers that are the k best scores of their parts. The k best of two sets are among the k best of
 * each, so the answer of the first j parts comes of that of the first j - 1 and one part, and the
 * answer without one part comes of that before it and that behind it: n parts of m items cost O(n
 * (k + m)) for all 2 n + 1 answers, not O(n^2 m).
 */
final class ScoredAnswers implements Answers {
    /** Up to this many items insertion sort beats the other; results are nearly sorted mostly. */
    private static final int INSERTION_SORTED = 64;

    /** The best items of some parts, in {@link TrecOrder}; items are ranks among {@link #ids}. */
    private record Best(int[] items, double[] scores) {
        static final Best NOTHING = new Best(new int[0], new double[0]);
    }

    /** Distinct, ascending as unsigned numbers. */
    private final long[] ids;

    private final int topK;

    /** By item: the last merge that took it. */
    private final int[] takenBy;

    private int merges;

    private final Best[] parts;

    /** {@code upTo[j]}: of the first j parts. */
    private final Best[] upTo;

    /** {@code behind[j]} of the parts from j to before the count that it was made for. */
    private Best[] behind = {};

    ScoredAnswers(List<Part> parts, ToDoubleFunction<String> weight, int topK) {
        this.ids = distinctIds(parts);
        this.takenBy = new int[ids.length];
        this.topK = topK;
        this.parts = new Best[parts.size()];
        this.upTo = new Best[parts.size() + 1];
        upTo[0] = Best.NOTHING;
        for (int i = 0; i < this.parts.length; i++) {
            Part part = parts.get(i);
            this.parts[i] = sorted(part, weight.applyAsDouble(part.component()));
            upTo[i + 1] = merged(upTo[i], this.parts[i]);
        }
    }

    @Override
    public Ranking ofFirst(int count) {
        return ranking(upTo[count]);
    }

    @Override
    public Ranking ofFirstWithout(int count, int index) {
        if (behind.length != count + 1) {
            behind = new Best[count + 1];
            behind[count] = Best.NOTHING;
            for (int i = count - 1; i >= 0; i--) {
                behind[i] = merged(parts[i], behind[i + 1]);
            }
        }
        return ranking(merged(upTo[index], behind[index + 1]));
    }

    @Override
    public Ranking ofFirstAnd(int count, int index) {
        return ranking(merged(upTo[count], parts[index]));
    }

    private Ranking ranking(Best best) {
        long[] ranked = new long[best.items.length];
        for (int i = 0; i < ranked.length; i++) {
            ranked[i] = ids[best.items[i]];
        }
        return Ranking.of(ranked);
    }

    private static long[] distinctIds(List<Part> parts) {
        long[] all =
                parts.stream().flatMapToLong(p -> Arrays.stream(p.items().numbers())).toArray();
        flipSigns(all);
        Arrays.sort(all);
        int size = 0;
        for (int i = 0; i < all.length; i++) {
            if (i == 0 || all[i] != all[i - 1]) {
                all[size++] = all[i];
            }
        }
        long[] distinct = Arrays.copyOf(all, size);
        flipSigns(distinct);
        return distinct;
    }

    /** Turns unsigned order into signed order and back. */
    private static void flipSigns(long[] numbers) {
        for (int i = 0; i < numbers.length; i++) {
            numbers[i] ^= Long.MIN_VALUE;
        }
    }

    private int itemOf(long id) {
        int low = 0;
        int high = ids.length - 1;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (Long.compareUnsigned(ids[middle], id) < 0) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    /** The part alone; merging it with nothing drops its duplicates. */
    private Best sorted(Part part, double weight) {
        int size = part.items().size();
        int[] items = new int[size];
        double[] scores = new double[size];
        for (int i = 0; i < size; i++) {
            items[i] = itemOf(part.items().numbers()[i]);
            scores[i] = part.items().scores()[i] * weight;
        }
        return merged(
                size <= INSERTION_SORTED ? insertionSorted(items, scores) : sorted(items, scores),
                Best.NOTHING);
    }

    private static Best insertionSorted(int[] items, double[] scores) {
        for (int i = 1; i < items.length; i++) {
            int item = items[i];
            double score = scores[i];
            int at = i;
            while (at > 0 && TrecOrder.compare(score, item, scores[at - 1], items[at - 1]) < 0) {
                items[at] = items[at - 1];
                scores[at] = scores[at - 1];
                at--;
            }
            items[at] = item;
            scores[at] = score;
        }
        return new Best(items, scores);
    }

    private static Best sorted(int[] items, double[] scores) {
        int[] order =
                IntStream.range(0, items.length)
                        .boxed()
                        .sorted(byTrecOrder(items, scores))
                        .mapToInt(Integer::intValue)
                        .toArray();
        return new Best(
                Arrays.stream(order).map(i -> items[i]).toArray(),
                Arrays.stream(order).mapToDouble(i -> scores[i]).toArray());
    }

    private static Comparator<Integer> byTrecOrder(int[] items, double[] scores) {
        return (a, b) -> TrecOrder.compare(scores[a], items[a], scores[b], items[b]);
    }

    private Best merged(Best first, Best second) {
        int most = Math.min(topK, first.items.length + second.items.length);
        int[] items = new int[most];
        double[] scores = new double[most];
        int merge = ++merges;
        int size = 0;
        int a = 0;
        int b = 0;
        while (size < most && (a < first.items.length || b < second.items.length)) {
            boolean isFirst =
                    b == second.items.length
                            || (a < first.items.length
                                    && TrecOrder.compare(
                                                    first.scores[a],
                                                    first.items[a],
                                                    second.scores[b],
                                                    second.items[b])
                                            <= 0);
            int item = isFirst ? first.items[a] : second.items[b];
            double score = isFirst ? first.scores[a++] : second.scores[b++];
            // Its better score came first.
            if (takenBy[item] != merge) {
                takenBy[item] = merge;
                items[size] = item;
                scores[size++] = score;
            }
        }
        return size == most
                ? new Best(items, scores)
                : new Best(Arrays.copyOf(items, size), Arrays.copyOf(scores, size));
    }
}
