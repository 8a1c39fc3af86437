package io.kipimo.core.quality.merge;

import io.kipimo.core.quality.similarity.Ranking;
import io.kipimo.schemas.quality.Items;

/**
 * An answer by score, in {@link TrecOrder}, into which further parts can be merged: the best k of
 * two sets are among the best k of each.
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
        Items items = part.items();
        double[] weighted = new double[items.size()];
        for (int i = 0; i < weighted.length; i++) {
            weighted[i] = items.scores()[i] * weight;
        }
        return with(items.numbers(), weighted, k);
    }

    /** The best distinct items of both, at most {@code k}. */
    public ScoredRanking with(ScoredRanking other, int k) {
        return with(other.ranking.toArray(), other.scores, k);
    }

    private ScoredRanking with(long[] ids, double[] theirScores, int k) {
        int capacity = Math.min(k, ranking.size() + ids.length);
        Ranking.Builder best = Ranking.builder(capacity);
        double[] bestScores = new double[capacity];
        int mine = 0;
        int theirs = 0;
        while (best.size() < k && (mine < ranking.size() || theirs < ids.length)) {
            boolean isMine =
                    theirs == ids.length
                            || (mine < ranking.size()
                                    && TrecOrder.compare(
                                                    scores[mine],
                                                    ranking.id(mine),
                                                    theirScores[theirs],
                                                    ids[theirs])
                                            <= 0);
            double score = isMine ? scores[mine] : theirScores[theirs];
            // An item of both comes first with its better score.
            if (best.addIfNew(isMine ? ranking.id(mine++) : ids[theirs++])) {
                bestScores[best.size() - 1] = score;
            }
        }
        return new ScoredRanking(best.build(), bestScores);
    }
}
