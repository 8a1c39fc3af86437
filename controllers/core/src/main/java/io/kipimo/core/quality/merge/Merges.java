package io.kipimo.core.quality.merge;

import io.kipimo.schemas.policy.MergePolicy;
import java.util.List;

/**
 * The merge functions by policy:
 *
 * <ul>
 *   <li>{@code TOP_K_BY_SCORE}: the k best scores of all parts;
 *   <li>{@code UNION}: all items, by score, not cut at k;
 *   <li>{@code PREFERRED}: the k best of the first component of the preference that returned
 *       anything (ER.fst of Ubora, sec. 7); where none of them did, of all others;
 *   <li>{@code WEIGHTED}: the k best after multiplying by the weight of the component;
 *   <li>{@code REPLAYED_ANSWERS}: the front end has merged; its answer is the only part and is
 *       ordered, as {@code TOP_K_BY_SCORE} does.
 * </ul>
 */
public final class Merges {
    private Merges() {}

    /** The merge function of a service. */
    public static Merge of(MergePolicy policy) {
        return switch (policy.kind()) {
            case TOP_K_BY_SCORE, REPLAYED_ANSWERS ->
                    (parts, topK) -> RankedMerge.best(parts, part -> 1, checked(topK));
            case UNION ->
                    (parts, topK) -> {
                        checked(topK);
                        return RankedMerge.best(parts, part -> 1, Integer.MAX_VALUE);
                    };
            case PREFERRED ->
                    (parts, topK) ->
                            RankedMerge.best(
                                    preferred(parts, policy.preference()),
                                    part -> 1,
                                    checked(topK));
            case WEIGHTED ->
                    (parts, topK) ->
                            RankedMerge.best(
                                    parts,
                                    part -> policy.weights().getOrDefault(part.component(), 1.0),
                                    checked(topK));
        };
    }

    /** The parts of the first preferred component that returned anything; else all. */
    private static List<Part> preferred(List<Part> parts, List<String> preference) {
        return preference.stream()
                .map(component -> partsOf(component, parts))
                .filter(own -> !own.isEmpty())
                .findFirst()
                .orElse(parts);
    }

    private static List<Part> partsOf(String component, List<Part> parts) {
        return parts.stream()
                .filter(part -> part.component().equals(component) && !part.items().isEmpty())
                .toList();
    }

    private static int checked(int topK) {
        if (topK < 1) {
            throw new IllegalArgumentException("top k is " + topK + "; allowed: at least 1");
        }
        return topK;
    }
}
