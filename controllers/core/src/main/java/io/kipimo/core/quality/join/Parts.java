package io.kipimo.core.quality.join;

import io.kipimo.core.quality.merge.ItemDictionary;
import io.kipimo.core.quality.merge.Part;
import io.kipimo.core.quality.similarity.Ranking;
import io.kipimo.schemas.quality.ComponentResult;
import io.kipimo.schemas.quality.Items;
import io.kipimo.schemas.quality.Outcome;
import io.kipimo.schemas.quality.ScoredIds;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;

/**
 * Final results of the components that an answer names, with numeric identifiers, by phase. Results of other components
 * are not part of the query. A result counts only in the phase that fits its component's outcome: a component that
 * timed out was not in the answer, even if it has an in-time result. And whether that result arrives before the
 * measurement would be chance.
 *
 * @param parts the final results by place; null if none arrived
 * @param online the in-time results
 * @param late the late results, sorted by component, so that random choices are reproducible
 */
record Parts(Part[] parts, List<Part> online, List<Part> late) {
    static final BitSet NO_RANKS = new BitSet(0);

    private static final Comparator<Part> BY_COMPONENT = Comparator.comparing(Part::component);

    static Parts of(OpenQuery query) {
        // Only components that the answer names are part of the query.
        ScoredIds[] items = numbers(query);
        Part[] parts = new Part[items.length];
        List<Part> online = new ArrayList<>(items.length);
        List<Part> late = new ArrayList<>(items.length);
        for (int place = 0; place < items.length; place++) {
            if (items[place] != null) {
                parts[place] = new Part(query.component(place), items[place]);
                (query.outcomes[place] == Outcome.IN_TIME ? online : late).add(parts[place]);
            }
        }
        sort(late);
        return new Parts(parts, online, late);
    }

    /** Sorts only if needed. Few results are late, and usually in order, so a check costs less than sorting. */
    private static void sort(List<Part> late) {
        for (int i = 1; i < late.size(); i++) {
            if (BY_COMPONENT.compare(late.get(i - 1), late.get(i)) > 0) {
                late.sort(BY_COMPONENT);
                return;
            }
        }
    }

    private static ScoredIds[] numbers(OpenQuery query) {
        ScoredIds[] items = new ScoredIds[query.invoked()];
        boolean hasTexts = false;
        for (int place = 0; place < items.length; place++) {
            ComponentResult result = query.finalResult(place);
            items[place] = result == null ? null : result.scoredIds();
            hasTexts |= items[place] instanceof Items known && known.isTexts();
        }
        return hasTexts ? toNumbers(query) : items;
    }

    private static Items[] toNumbers(OpenQuery query) {
        Items[] items = new Items[query.invoked()];
        List<Items> all = new ArrayList<>(items.length);
        for (int place = 0; place < items.length; place++) {
            items[place] = query.items(place);
            if (items[place] != null) {
                all.add(items[place]);
            }
        }
        ItemDictionary dictionary = ItemDictionary.of(all);
        for (int place = 0; place < items.length; place++) {
            if (items[place] != null) {
                items[place] = dictionary.toNumbers(items[place]);
            }
        }
        return items;
    }

    /** Divides the late results among the players of a cooperative game, who get one result after the other in turn. */
    List<List<Part>> latePlayers(int players) {
        List<List<Part>> byPlayer = new ArrayList<>(players);
        for (int player = 0; player < players; player++) {
            List<Part> own = new ArrayList<>(1);
            for (int i = player; i < late.size(); i += players) {
                own.add(late.get(i));
            }
            byPlayer.add(own);
        }
        return byPlayer;
    }

    /** Number of components that the answer names. */
    int places() {
        return parts.length;
    }

    /** Index among the late results; negative if the component at the place has none. */
    int lateIndex(int place) {
        return parts[place] == null ? -1 : Collections.binarySearch(late, parts[place], BY_COMPONENT);
    }

    /** For each place, the ranks that the items of its result have in the mature answer; must not be changed. */
    BitSet[] ranksIn(Ranking mature) {
        BitSet[] ranks = new BitSet[parts.length];
        for (int place = 0; place < parts.length; place++) {
            ranks[place] = parts[place] == null ? NO_RANKS : mature.ranksOf(parts[place].items());
        }
        return ranks;
    }
}
