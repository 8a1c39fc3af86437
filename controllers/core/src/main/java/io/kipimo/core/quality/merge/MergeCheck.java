package io.kipimo.core.quality.merge;

import io.kipimo.core.quality.similarity.Ranking;
import io.kipimo.schemas.policy.MergeKind;
import io.kipimo.schemas.policy.MergePolicy;
import io.kipimo.schemas.quality.Items;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;

/**
 * Compares the items of an answer with the merge of its in-time results. If they differ, the policy's merge is not the
 * service's, so no answer can be merged again.
 *
 * <p>At each rank, the answer's item must have the score of the merge's item at that rank. So the order of items with
 * equal scores does not matter, nor which of them are cut. Relative differences up to {@value #NOISE} count as
 * rounding. If all scores are equal, any items would pass, so then the same items must be in both.
 */
public final class MergeCheck {
    /** Relative rounding error of scores, four steps of a float: a service may weigh and round in another order. */
    static final double NOISE = 0x1p-21;

    /** @param isTruncated whether the list was cut by the emitter, not by the component */
    public record InTimeResult(String component, Items items, boolean isTruncated) {}

    private MergeCheck() {}

    /**
     * The size of the service's answers by which the answer is the policy's merge: {@code topK}, or less if the answer
     * ends before the merge does. It is also {@code topK} if nothing can be compared: the answer has no items, the
     * policy's merge is {@code REPLAYED_ANSWERS}, or a result was cut to fewer items than the answer may need.
     *
     * @param topK size of an answer, at least 1
     * @param answer what the user got
     * @param isTruncated whether the answer's list was cut by the emitter
     * @param inTime results of all components that were in time
     * @return the size; empty if the answer is not the merge
     */
    public static OptionalInt agreedTopK(
            MergePolicy policy, int topK, Items answer, boolean isTruncated, List<InTimeResult> inTime) {
        if (answer.isEmpty() || policy.kind() == MergeKind.REPLAYED_ANSWERS) {
            return OptionalInt.of(topK);
        }
        List<Items> all = new ArrayList<>(inTime.size() + 1);
        all.add(answer);
        for (InTimeResult result : inTime) {
            if (result.isTruncated() && result.items().size() < Math.max(topK, answer.size())) {
                return OptionalInt.of(topK);
            }
            all.add(result.items());
        }
        ItemDictionary dictionary = ItemDictionary.of(all);
        List<Part> parts = new ArrayList<>(inTime.size());
        for (InTimeResult result : inTime) {
            parts.add(new Part(result.component(), dictionary.toNumbers(result.items())));
        }
        Ranking given = RankedMerge.best(
                        List.of(new Part("", dictionary.toNumbers(answer))), part -> 1, Integer.MAX_VALUE)
                .ranking();
        // Nothing is cut, so that each item has its score.
        ScoredRanking merged = Merges.of(policy).scored(parts, Integer.MAX_VALUE);
        int size = policy.kind() == MergeKind.UNION ? Integer.MAX_VALUE : topK;
        int compared = Math.min(given.size(), size);
        if (!agrees(given, merged, compared)) {
            return OptionalInt.empty();
        }
        if (isTruncated || compared >= Math.min(size, merged.ranking().size())) {
            return OptionalInt.of(topK);
        }
        // A union has all items.
        return policy.kind() == MergeKind.UNION ? OptionalInt.empty() : OptionalInt.of(compared);
    }

    private static boolean agrees(Ranking given, ScoredRanking merged, int compared) {
        Ranking ranking = merged.ranking();
        if (compared > ranking.size()) {
            return false;
        }
        double noise = isOneScore(merged, compared, NOISE) ? 0 : NOISE;
        boolean anyPasses = compared < ranking.size() && isOneScore(merged, compared, noise);
        for (int rank = 0; rank < compared; rank++) {
            int mergedRank = ranking.rankOf(given.id(rank));
            if (mergedRank < 0
                    || !isEqual(merged.scores()[mergedRank], merged.scores()[rank], noise)
                    || (anyPasses && mergedRank >= compared)) {
                return false;
            }
        }
        return true;
    }

    /** Whether the best items and the first item that is cut all have the same score. */
    private static boolean isOneScore(ScoredRanking merged, int compared, double noise) {
        int last = Math.min(compared, merged.ranking().size() - 1);
        return isEqual(merged.scores()[0], merged.scores()[last], noise);
    }

    private static boolean isEqual(double a, double b, double noise) {
        return Math.abs(a - b) <= noise * Math.max(Math.abs(a), Math.abs(b));
    }
}
