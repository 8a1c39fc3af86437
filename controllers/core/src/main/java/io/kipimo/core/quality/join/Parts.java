package io.kipimo.core.quality.join;

import io.kipimo.core.quality.merge.ItemDictionary;
import io.kipimo.core.quality.merge.Part;
import io.kipimo.schemas.quality.Items;
import io.kipimo.schemas.quality.PartialResult;
import io.kipimo.schemas.quality.Phase;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.LongConsumer;

/** The partial results of one query, with numeric identifiers, by phase. */
final class Parts {
    final List<Part> online = new ArrayList<>();
    final List<Part> late = new ArrayList<>();

    static Parts of(OpenQuery query) {
        List<Items> all = new ArrayList<>(query.partials.size());
        for (PartialResult partial : query.partials) {
            all.add(partial.items());
        }
        ItemDictionary dictionary = ItemDictionary.of(all);
        Parts parts = new Parts();
        for (PartialResult partial : query.partials) {
            (partial.phase() == Phase.ONLINE ? parts.online : parts.late)
                    .add(new Part(partial.component(), dictionary.toNumbers(partial.items())));
        }
        // The order of arrival must not show in the figures.
        parts.online.sort(Comparator.comparing(Part::component));
        parts.late.sort(Comparator.comparing(Part::component));
        return parts;
    }

    List<Part> withAllLate() {
        List<Part> parts = new ArrayList<>(online.size() + late.size());
        parts.addAll(online);
        parts.addAll(late);
        return parts;
    }

    /**
     * The in-time results and those late ones whose player's bit is set; with more late results
     * than players, result i plays in bundle i modulo {@code players}.
     */
    List<Part> withLate(long coalition, int players) {
        List<Part> parts = new ArrayList<>(online);
        for (int i = 0; i < late.size(); i++) {
            if ((coalition >>> (i % players) & 1) == 1) {
                parts.add(late.get(i));
            }
        }
        return parts;
    }

    int lateIndex(String component) {
        for (int i = 0; i < late.size(); i++) {
            if (late.get(i).component().equals(component)) {
                return i;
            }
        }
        return -1;
    }

    void forEachItem(String component, LongConsumer consumer) {
        forEachItem(online, component, consumer);
        forEachItem(late, component, consumer);
    }

    private static void forEachItem(List<Part> parts, String component, LongConsumer consumer) {
        for (Part part : parts) {
            if (part.component().equals(component)) {
                for (long id : part.items().numbers()) {
                    consumer.accept(id);
                }
            }
        }
    }
}
