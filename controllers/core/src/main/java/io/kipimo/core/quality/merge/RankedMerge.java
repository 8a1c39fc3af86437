package io.kipimo.core.quality.merge;

import io.kipimo.core.quality.similarity.Ranking;
import io.kipimo.schemas.quality.ScoredIds;
import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * Merges lists that are already ranked, such as parts. The best remaining item is at the head of some list, so an
 * answer of k items costs about k steps, whatever the lengths of the lists.
 */
final class RankedMerge {
    private final ScoredIds[] lists;
    private final double[] weights;

    /** Next item of each list, with its id and weighted score, which every comparison needs. */
    private final int[] heads;

    private final long[] headIds;
    private final double[] headScores;

    /** Lists with remaining items, as a heap whose root has the best head. */
    private final int[] heap;

    private int left;

    private RankedMerge(List<Part> parts, ToDoubleFunction<Part> weight) {
        int size = parts.size();
        lists = new ScoredIds[size];
        weights = new double[size];
        heads = new int[size];
        headIds = new long[size];
        headScores = new double[size];
        heap = new int[size];
        for (int list = 0; list < size; list++) {
            Part part = parts.get(list);
            lists[list] = part.items();
            weights[list] = weight.applyAsDouble(part);
            if (part.items().size() > 0) {
                loadHead(list);
                heap[left++] = list;
            }
        }
        for (int node = left / 2 - 1; node >= 0; node--) {
            sink(node);
        }
    }

    /** The best distinct items, at most {@code k}; an item's score counts times its part's weight. */
    static ScoredRanking best(List<Part> parts, ToDoubleFunction<Part> weight, int k) {
        int items = 0;
        for (Part part : parts) {
            items += part.items().size();
        }
        int capacity = Math.min(k, items);
        Ranking.RankingBuilder best = Ranking.builder(capacity);
        double[] bestScores = new double[capacity];
        new RankedMerge(parts, weight).drain(best, bestScores, k);
        return new ScoredRanking(best.build(), bestScores);
    }

    private void drain(Ranking.RankingBuilder best, double[] bestScores, int k) {
        while (left > 0 && best.size() < k) {
            int list = heap[0];
            // An item of several lists comes first with its best score.
            if (best.addIfNew(headIds[list])) {
                bestScores[best.size() - 1] = headScores[list];
            }
            heads[list]++;
            if (heads[list] == lists[list].size()) {
                heap[0] = heap[--left];
            } else {
                loadHead(list);
            }
            sink(0);
        }
    }

    private void loadHead(int list) {
        int head = heads[list];
        headIds[list] = lists[list].id(head);
        headScores[list] = lists[list].score(head) * weights[list];
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
        return TrecOrder.compare(headScores[list], headIds[list], headScores[other], headIds[other]) < 0;
    }
}
