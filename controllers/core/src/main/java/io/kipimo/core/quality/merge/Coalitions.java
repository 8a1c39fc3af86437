package io.kipimo.core.quality.merge;

import io.kipimo.core.quality.similarity.Ranking;
import java.util.BitSet;

/** Answers of fixed parts together with any set of players' parts; for one thread. */
@FunctionalInterface
public interface Coalitions {
    /**
     * The answer with these players.
     *
     * @param players bit i is set if player i is in
     */
    Ranking with(long players);

    /**
     * Whether each of these answers has a best item of all players' answer exactly if one of its parts has that item,
     * and ranks such items before its others. False, the default, can also mean that this is not known.
     *
     * @param best number of the best items, from 1 to the size of all players' answer
     * @param parts the fixed parts and the players'; null ones are left out
     * @param ranks by part, the ranks of its items in all players' answer; not changed
     */
    default boolean keepBest(int best, Part[] parts, BitSet[] ranks) {
        return false;
    }
}
