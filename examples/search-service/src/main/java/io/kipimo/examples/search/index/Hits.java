package io.kipimo.examples.search.index;

import io.kipimo.schemas.quality.Items;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;

/**
 * Documents found, best first: score descending, ties by id descending, as trec_eval orders them.
 *
 * @param ids of documents
 * @param scores score of each document
 */
public record Hits(long[] ids, float[] scores) {
    public static final Hits NONE = new Hits(new long[0], new float[0]);

    private static final Comparator<Hit> BEST_FIRST = Comparator.comparingDouble((Hit hit) -> -hit.score)
            .thenComparing(Comparator.comparingLong((Hit hit) -> hit.id).reversed());

    private record Hit(long id, float score) {}

    public Hits {
        if (ids.length != scores.length) {
            throw new IllegalArgumentException(ids.length + " ids, " + scores.length + " scores");
        }
    }

    public int size() {
        return ids.length;
    }

    /** The hits in the form of partial results. */
    public Items toItems() {
        return Items.ofNumbers(ids, scores);
    }

    /** The best {@code limit} of all hits. Partitions are disjoint, so no id occurs twice. */
    public static Hits merge(Collection<Hits> parts, int limit) {
        List<Hit> all = new ArrayList<>();
        for (Hits part : parts) {
            for (int i = 0; i < part.size(); i++) {
                all.add(new Hit(part.ids[i], part.scores[i]));
            }
        }
        all.sort(BEST_FIRST);
        int size = Math.min(limit, all.size());
        long[] ids = new long[size];
        float[] scores = new float[size];
        for (int i = 0; i < size; i++) {
            ids[i] = all.get(i).id;
            scores[i] = all.get(i).score;
        }
        return new Hits(ids, scores);
    }
}
