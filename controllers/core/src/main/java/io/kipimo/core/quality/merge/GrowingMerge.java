package io.kipimo.core.quality.merge;

import io.kipimo.core.quality.similarity.Ranking;
import io.kipimo.schemas.quality.Items;
import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * Coalitions of a merge by score: the best k of some parts and one more are the best k of their
 * best k and that one. So an answer grows out of another by one player, in about k steps, and what
 * is asked for in the order of the numbers, or one player more at a time, costs one such growth.
 */
final class GrowingMerge implements Coalitions {
    /** An answer with its scores, of which only {@link #NOBODY} has no players. */
    private record Answer(long players, Ranking ranking, double[] scores) {}

    private static final long NOBODY = 0;

    private final List<Part> always;
    private final List<List<Part>> players;
    private final ToDoubleFunction<Part> weight;
    private final int k;

    /** At depth d an answer of d players, each the one before and one with a lower number. */
    private final Answer[] path;

    /** Null until the first is asked for: one late player alone needs none. */
    private Answer latest;

    GrowingMerge(
            List<Part> always, List<List<Part>> players, ToDoubleFunction<Part> weight, int k) {
        this.always = always;
        this.players = players;
        this.weight = weight;
        this.k = k;
        this.path = new Answer[players.size() + 1];
    }

    @Override
    public Ranking with(long wanted) {
        if (latest == null) {
            path[0] = nobody();
            latest = path[0];
        }
        long joining = wanted & ~latest.players();
        if ((latest.players() & ~wanted) == 0 && Long.bitCount(joining) == 1) {
            latest = withPlayer(latest, Long.numberOfTrailingZeros(joining));
        } else {
            latest = alongPath(wanted);
        }
        return latest.ranking();
    }

    private Answer nobody() {
        Answer answer = new Answer(NOBODY, Ranking.EMPTY, new double[0]);
        for (Part part : always) {
            answer = with(answer, NOBODY, part);
        }
        return answer;
    }

    private Answer alongPath(long wanted) {
        Answer answer = path[0];
        int depth = 0;
        for (long rest = wanted; rest != 0; rest &= ~Long.highestOneBit(rest)) {
            long next = answer.players() | Long.highestOneBit(rest);
            depth++;
            if (path[depth] == null || path[depth].players() != next) {
                path[depth] = withPlayer(answer, Long.SIZE - 1 - Long.numberOfLeadingZeros(rest));
            }
            answer = path[depth];
        }
        return answer;
    }

    private Answer withPlayer(Answer answer, int player) {
        Answer grown = answer;
        for (Part part : players.get(player)) {
            grown = with(grown, answer.players(), part);
        }
        return new Answer(answer.players() | 1L << player, grown.ranking(), grown.scores());
    }

    private Answer with(Answer answer, long players, Part part) {
        Items items = TrecOrder.ranked(part.items());
        long[] ids = items.numbers();
        double partWeight = weight.applyAsDouble(part);
        Ranking before = answer.ranking();
        int capacity = Math.min(k, before.size() + ids.length);
        Ranking.Builder best = Ranking.builder(capacity);
        double[] scores = new double[capacity];
        int mine = 0;
        int theirs = 0;
        while (best.size() < k && (mine < before.size() || theirs < ids.length)) {
            double theirScore = theirs < ids.length ? items.scores()[theirs] * partWeight : 0;
            boolean isMine =
                    theirs == ids.length
                            || (mine < before.size()
                                    && TrecOrder.compare(
                                                    answer.scores()[mine],
                                                    before.id(mine),
                                                    theirScore,
                                                    ids[theirs])
                                            <= 0);
            double score = isMine ? answer.scores()[mine] : theirScore;
            if (best.addIfNew(isMine ? before.id(mine++) : ids[theirs++])) {
                scores[best.size() - 1] = score;
            }
        }
        return new Answer(players, best.build(), scores);
    }
}
