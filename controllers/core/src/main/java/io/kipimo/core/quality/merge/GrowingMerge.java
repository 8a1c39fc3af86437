package io.kipimo.core.quality.merge;

import io.kipimo.core.quality.similarity.Ranking;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * Computes answers of coalitions for a merge by score. The best k of some parts and one more part are the best k of the
 * former best k and that part. So adding one player to an answer takes about k steps. A coalition costs one such
 * addition if coalitions come in the order of their numbers, or with one more player each time. If many players join at
 * once, all their parts are merged at once.
 */
final class GrowingMerge implements Coalitions {
    /** An answer and the players whose parts it has, one bit a player; {@link #NO_PLAYERS} if it has none. */
    private record GrownAnswer(long players, ScoredRanking best) {}

    private static final long NO_PLAYERS = 0;

    /**
     * Greatest number of players for which a coalition is built player by player. Up to this number of players, the
     * answers of all coalitions are needed.
     */
    private static final int MOST_ADDITIONS = Shapley.EXACT_PLAYERS;

    private final List<Part> always;
    private final List<List<Part>> players;
    private final ToDoubleFunction<Part> weight;
    private final int k;

    /** {@code path[d]} is an answer of d players: {@code path[d - 1]} plus a player with a lower number. */
    private final GrownAnswer[] path;

    private GrownAnswer latest;

    GrowingMerge(List<Part> always, List<List<Part>> players, ToDoubleFunction<Part> weight, int k) {
        this.always = always;
        this.players = players;
        this.weight = weight;
        this.k = k;
        this.path = new GrownAnswer[Math.min(players.size(), MOST_ADDITIONS) + 1];
        path[0] = merged(NO_PLAYERS);
        latest = path[0];
    }

    @Override
    public Ranking with(long wanted) {
        long joining = wanted & ~latest.players();
        if ((latest.players() & ~wanted) == 0 && Long.bitCount(joining) == 1) {
            latest = withPlayer(latest, Long.numberOfTrailingZeros(joining));
        } else {
            latest = Long.bitCount(wanted) < path.length ? alongPath(wanted) : merged(wanted);
        }
        return latest.best().ranking();
    }

    /**
     * An item that is among the best of all parts is among the best of fewer parts, where fewer items are before it.
     * But several parts may give it different scores. Then its least score must also put it among the best.
     */
    @Override
    public boolean keepBest(int best, Part[] parts, BitSet[] ranks) {
        with((1L << players.size()) - 1);
        ScoredRanking all = latest.best();
        if (all.ranking().size() < Math.min(k, best + 1)) {
            // Nothing was cut.
            return true;
        }
        for (int place = 0; place < parts.length; place++) {
            if (parts[place] != null && hasWorse(parts[place], ranks[place], all, best)) {
                return false;
            }
        }
        return true;
    }

    /**
     * Whether a part gives one of the best items only a score that would put it behind the last of them. The part's
     * items are read best first, until all its best items are found or an item is behind the last best one.
     */
    private boolean hasWorse(Part part, BitSet ranks, ScoredRanking all, int best) {
        int behind = (ranks.length() <= best ? ranks : ranks.get(0, best)).cardinality();
        double factor = weight.applyAsDouble(part);
        double lastScore = all.scores()[best - 1];
        long lastId = all.ranking().id(best - 1);
        BitSet seen = new BitSet(best);
        for (int i = 0; behind > 0; i++) {
            long id = part.items().id(i);
            if (TrecOrder.compare(part.items().score(i) * factor, id, lastScore, lastId) > 0) {
                return true;
            }
            // A part may have an item several times.
            int rank = all.ranking().rankOf(id);
            if (!seen.get(rank)) {
                seen.set(rank);
                behind--;
            }
        }
        return false;
    }

    private GrownAnswer merged(long wanted) {
        if (wanted == NO_PLAYERS) {
            return new GrownAnswer(wanted, RankedMerge.best(always, weight, k));
        }
        List<Part> parts = new ArrayList<>(always);
        for (long rest = wanted; rest != 0; rest &= rest - 1) {
            parts.addAll(players.get(Long.numberOfTrailingZeros(rest)));
        }
        return new GrownAnswer(wanted, RankedMerge.best(parts, weight, k));
    }

    private GrownAnswer alongPath(long wanted) {
        GrownAnswer answer = path[0];
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

    private GrownAnswer withPlayer(GrownAnswer answer, int player) {
        ScoredRanking grown = answer.best();
        for (Part part : players.get(player)) {
            grown = grown.with(part, weight.applyAsDouble(part), k);
        }
        return new GrownAnswer(answer.players() | 1L << player, grown);
    }
}
