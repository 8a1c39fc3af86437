package io.kipimo.core.quality.merge;

import io.kipimo.schemas.policy.MergePolicy;
import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * The merge functions by policy:
 *
 * <ul>
 *   <li>{@code TOP_K_BY_SCORE}: the k best scores of all parts;
 *   <li>{@code UNION}: all items, by score, not cut at k;
 *   <li>{@code PREFERRED}: the k best of the first component in the order of preference that returned anything (ER.fst
 *       of Ubora, sec. 7). If no preferred component did, the k best of all others;
 *   <li>{@code WEIGHTED}: the k best after multiplying by the weight of the component;
 *   <li>{@code REPLAYED_ANSWERS}: the front end has already merged; its answer is the only part, ordered as by
 *       {@code TOP_K_BY_SCORE}.
 * </ul>
 */
public final class Merges {
    private Merges() {}

    /** The merge function of a service. */
    public static Merge of(MergePolicy policy) {
        return switch (policy.kind()) {
            case TOP_K_BY_SCORE, REPLAYED_ANSWERS -> new ByScore(part -> 1, true);
            case UNION -> new ByScore(part -> 1, false);
            case PREFERRED ->
                (parts, topK) -> RankedMerge.best(preferred(parts, policy.preference()), part -> 1, checked(topK));
            case WEIGHTED -> new ByScore(part -> policy.weights().getOrDefault(part.component(), 1.0), true);
        };
    }

    /**
     * The best items of all parts.
     *
     * @param cut whether to cut at k
     */
    private record ByScore(ToDoubleFunction<Part> weight, boolean cut) implements Merge {
        @Override
        public ScoredRanking scored(List<Part> parts, int topK) {
            return RankedMerge.best(parts, weight, size(topK));
        }

        @Override
        public Coalitions coalitions(List<Part> always, List<List<Part>> players, int topK) {
            return new GrowingMerge(always, players, weight, size(topK));
        }

        private int size(int topK) {
            int k = checked(topK);
            return cut ? k : Integer.MAX_VALUE;
        }
    }

    /** The parts of the first preferred component that returned anything; all parts if none did. */
    private static List<Part> preferred(List<Part> parts, List<String> preference) {
        return preference.stream()
                .map(component -> partsOf(component, parts))
                .filter(own -> !own.isEmpty())
                .findFirst()
                .orElse(parts);
    }

    private static List<Part> partsOf(String component, List<Part> parts) {
        return parts.stream()
                .filter(part ->
                        part.component().equals(component) && part.items().size() > 0)
                .toList();
    }

    private static int checked(int topK) {
        if (topK < 1) {
            throw new IllegalArgumentException("top k is " + topK + "; allowed: at least 1");
        }
        return topK;
    }
}
