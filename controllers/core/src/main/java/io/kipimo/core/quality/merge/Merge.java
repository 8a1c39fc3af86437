package io.kipimo.core.quality.merge;

import io.kipimo.core.quality.similarity.Ranking;
import java.util.ArrayList;
import java.util.List;

/** A service's merge function; pure and safe for use by many threads. */
public interface Merge {
    /**
     * The answer made of these parts, best first in {@link TrecOrder}. An item that several parts
     * have counts once, with its best score.
     *
     * @param topK size of an answer, at least 1
     * @throws IllegalArgumentException if {@code topK} is below 1 or items have texts
     */
    Ranking merge(List<Part> parts, int topK);

    /**
     * The answers that some parts make with each set of others.
     *
     * @param always in every answer
     * @param players the parts of each
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
