package io.kipimo.core.quality.merge;

import io.kipimo.core.quality.similarity.Ranking;
import java.util.ArrayList;
import java.util.List;

/** A service's merge function; pure and safe for use by many threads. */
public interface Merge {
    /**
     * The answer from these parts, best first in {@link TrecOrder}, with the scores that rank it. An item in several
     * parts counts once, with its best score.
     *
     * @param topK size of an answer, at least 1
     * @throws IllegalArgumentException if {@code topK} is below 1 or items have texts
     */
    ScoredRanking scored(List<Part> parts, int topK);

    /** The answer as by {@link #scored}, without scores. */
    default Ranking merge(List<Part> parts, int topK) {
        return scored(parts, topK).ranking();
    }

    /**
     * The answers of some parts together with each set of players' parts.
     *
     * @param always parts of every answer
     * @param players parts of each player
     * @param topK as in {@link #merge}
     */
    default Coalitions coalitions(List<Part> always, List<List<Part>> players, int topK) {
        return set -> {
            List<Part> parts = new ArrayList<>(always);
            for (int player = 0; player < players.size(); player++) {
                if ((set >>> player & 1) == 1) {
                    parts.addAll(players.get(player));
                }
            }
            return merge(parts, topK);
        };
    }
}
