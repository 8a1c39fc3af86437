package io.kipimo.schemas.policy;

import java.util.List;
import java.util.Map;

/**
 * How the partial results of a service are merged.
 *
 * @param preference components in order of preference, {@link MergeKind#PREFERRED} only
 * @param weights positive weights by component, {@link MergeKind#WEIGHTED} only; absent: 1
 */
public record MergePolicy(MergeKind kind, List<String> preference, Map<String, Double> weights) {
    public static final MergePolicy TOP_K =
            new MergePolicy(MergeKind.TOP_K_BY_SCORE, List.of(), Map.of());
}
