package io.kipimo.core.quality.join;

import io.kipimo.core.quality.merge.ItemDictionary;
import io.kipimo.core.quality.merge.Part;
import io.kipimo.core.quality.similarity.Ranking;
import io.kipimo.schemas.quality.Items;
import io.kipimo.schemas.quality.Outcome;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The answers of one query whose results are all known, as ids of items, best first. The quality of the query is the
 * similarity of the two.
 *
 * @param online the answer that the user got
 * @param mature the answer from all components that were asked
 */
public record MergedAnswers(List<String> online, List<String> mature) {
    /**
     * The answers of a query that {@linkplain OpenQuery#holdsResults holds its results}; empty if the final result of
     * some component that it asked is not among them.
     *
     * @throws IllegalStateException if the join does not merge the service's partial results
     */
    public static Optional<MergedAnswers> of(OpenQuery query, QualitySettings settings) {
        if (!settings.mergesPartials()) {
            throw new IllegalStateException("the front end merges, so there are no parts");
        }
        List<Items> results = new ArrayList<>();
        for (int place = 0; place < query.invoked(); place++) {
            if (query.outcome(place) != Outcome.NOT_ASKED) {
                if (query.items(place) == null) {
                    return Optional.empty();
                }
                results.add(query.items(place));
            }
        }
        if (results.isEmpty()) {
            return Optional.empty();
        }
        ItemDictionary dictionary = ItemDictionary.of(results);
        List<Part> online = new ArrayList<>();
        List<Part> all = new ArrayList<>();
        for (int place = 0; place < query.invoked(); place++) {
            if (query.outcome(place) != Outcome.NOT_ASKED) {
                Part part = new Part(query.component(place), dictionary.toNumbers(query.items(place)));
                all.add(part);
                if (query.outcome(place) == Outcome.IN_TIME) {
                    online.add(part);
                }
            }
        }
        int k = query.topK() == 0 ? settings.topK() : query.topK();
        return Optional.of(new MergedAnswers(
                ids(settings.merge().merge(online, k), dictionary),
                ids(settings.merge().merge(all, k), dictionary)));
    }

    /**
     * The answers of a query that ran twice, each ranked and cut as the join does.
     *
     * @param online what the user got
     * @param mature the replayed answer, with all data
     * @param topK size of an answer, at least 1
     */
    public static MergedAnswers ofReplay(Items online, Items mature, int topK) {
        ItemDictionary dictionary = ItemDictionary.of(List.of(online, mature));
        return new MergedAnswers(
                ids(Measuring.ranking(dictionary.toNumbers(online), topK), dictionary),
                ids(Measuring.ranking(dictionary.toNumbers(mature), topK), dictionary));
    }

    private static List<String> ids(Ranking ranking, ItemDictionary dictionary) {
        List<String> ids = new ArrayList<>(ranking.size());
        for (long number : ranking.toArray()) {
            ids.add(dictionary.text(number));
        }
        return List.copyOf(ids);
    }
}
