package io.kipimo.core.quality.merge;

import io.kipimo.core.quality.similarity.Ranking;
import io.kipimo.schemas.quality.ScoredIds;
import java.util.function.IntToDoubleFunction;
import java.util.function.IntToLongFunction;

/**
 * An answer by score, in {@link TrecOrder}, into which further parts can be merged: the best k of two sets are among
 * the best k of each.
 *
 * @param scores at least one per item, in the order of the ranking
 */
public record ScoredRanking(Ranking ranking, double[] scores) {
    public static final ScoredRanking EMPTY = new ScoredRanking(Ranking.EMPTY, new double[0]);

    /**
     * The best distinct items of this and of a part, at most {@code k}.
     *
     * @param weight of the part's scores, positive
     */
    public ScoredRanking with(Part part, double weight, int k) {
        ScoredIds items = part.items();
        return with(items.size(), items::id, i -> items.score(i) * weight, k);
    }

    /** The best distinct items of both, at most {@code k}. */
    public ScoredRanking with(ScoredRanking other, int k) {
        return with(other.ranking.size(), other.ranking::id, i -> other.scores[i], k);
    }

    private ScoredRanking with(int size, IntToLongFunction ids, IntToDoubleFunction theirScores, int k) {
        int capacity = Math.min(k, ranking.size() + size);
        Ranking.RankingBuilder best = Ranking.builder(capacity);
        double[] bestScores = new double[capacity];
        int mine = 0;
        int theirs = 0;
        long theirId = size > 0 ? ids.applyAsLong(0) : 0;
        double theirScore = size > 0 ? theirScores.applyAsDouble(0) : 0;
        while (best.size() < k && (mine < ranking.size() || theirs < size)) {
            boolean isMine = theirs == size
                    || (mine < ranking.size()
                            && TrecOrder.compare(scores[mine], ranking.id(mine), theirScore, theirId) <= 0);
            // An item of both comes first with its better score.
            if (best.addIfNew(isMine ? ranking.id(mine) : theirId)) {
                bestScores[best.size() - 1] = isMine ? scores[mine] : theirScore;
            }
            if (isMine) {
                mine++;
            } else if (++theirs < size) {
                theirId = ids.applyAsLong(theirs);
                theirScore = theirScores.applyAsDouble(theirs);
            }
        }
        return new ScoredRanking(best.build(), bestScores);
    }
}
