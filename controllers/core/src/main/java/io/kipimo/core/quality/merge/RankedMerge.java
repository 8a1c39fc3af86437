package io.kipimo.core.quality.merge;

import io.kipimo.core.quality.similarity.Ranking;
import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * Merges lists that are ranked already, as parts are: the best item not yet taken is at the head of
 * some list, so an answer of k items costs about k steps, whatever the lists' lengths.
 */
final class RankedMerge {
    private final long[][] ids;
    private final float[][] scores;
    private final double[] weights;

    /** Next item of each list. */
    private final int[] heads;

    /** Lists with something left, as a heap whose root has the best head. */
    private final int[] heap;

    private int left;

    private RankedMerge(List<Part> parts, ToDoubleFunction<Part> weight) {
        int size = parts.size();
        ids = new long[size][];
        scores = new float[size][];
        weights = new double[size];
        heads = new int[size];
        heap = new int[size];
        for (int list = 0; list < size; list++) {
            Part part = parts.get(list);
            if (part.items().isTexts()) {
                throw new IllegalArgumentException(
                        "items to merge have texts; allowed: numbers, of the query's"
                                + " ItemDictionary");
            }
            ids[list] = part.items().numbers();
            scores[list] = part.items().scores();
            weights[list] = weight.applyAsDouble(part);
            if (!part.items().isEmpty()) {
                heap[left++] = list;
            }
        }
        for (int node = left / 2 - 1; node >= 0; node--) {
            sink(node);
        }
    }

    /**
     * The best distinct items, at most {@code k}; an item's score counts times its part's weight.
     */
    static Ranking best(List<Part> parts, ToDoubleFunction<Part> weight, int k) {
        int items = 0;
        for (Part part : parts) {
            items += part.items().size();
        }
        Ranking.Builder best = Ranking.builder(Math.min(k, items));
        new RankedMerge(parts, weight).drain(best, k);
        return best.build();
    }

    private void drain(Ranking.Builder best, int k) {
        while (left > 0 && best.size() < k) {
            int list = heap[0];
            // What several lists have comes with its best score first.
            best.addIfNew(ids[list][heads[list]++]);
            if (heads[list] == ids[list].length) {
                heap[0] = heap[--left];
            }
            sink(0);
        }
    }

    private void sink(int node) {
        int parent = node;
        int list = heap[parent];
        while (2 * parent + 1 < left) {
            int child = 2 * parent + 1;
            if (child + 1 < left && isBetter(heap[child + 1], heap[child])) {
                child++;
            }
            if (!isBetter(heap[child], list)) {
                break;
            }
            heap[parent] = heap[child];
            parent = child;
        }
        heap[parent] = list;
    }

    private boolean isBetter(int list, int other) {
        int head = heads[list];
        int otherHead = heads[other];
        return TrecOrder.compare(
                        scores[list][head] * weights[list],
                        ids[list][head],
                        scores[other][otherHead] * weights[other],
                        ids[other][otherHead])
                < 0;
    }
}
