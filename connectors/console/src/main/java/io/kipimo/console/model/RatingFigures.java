package io.kipimo.console.model;

import io.kipimo.schemas.rating.Rating;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.Map;
import java.util.TreeMap;

/** The newest rating of each target of one service. */
final class RatingFigures {
    private static final int MAXIMUM_TARGETS = 16;

    private final Map<String, Rating> targets = new TreeMap<>();

    void add(Rating rating) {
        String target = rating.request().target();
        Rating known = targets.get(target);
        if (known == null || rating.updatedAtMillis() >= known.updatedAtMillis()) {
            targets.put(target, rating);
        }
        if (targets.size() > MAXIMUM_TARGETS) {
            targets.values()
                    .remove(Collections.min(targets.values(), Comparator.comparingLong(Rating::updatedAtMillis)));
        }
    }

    /** The ratings, newest first. */
    Collection<Rating> newest() {
        return targets.values().stream()
                .sorted(Comparator.comparingLong(Rating::updatedAtMillis).reversed())
                .toList();
    }
}
