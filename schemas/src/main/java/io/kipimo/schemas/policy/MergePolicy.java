package io.kipimo.schemas.policy;

import java.util.List;
import java.util.Map;

/**
 * How a service merges.
 *
 * @param preference components in order, {@link MergeKind#PREFERRED} only
 * @param weights positive weight by component, {@link MergeKind#WEIGHTED} only; 1 where absent
 */
public record MergePolicy(MergeKind kind, List<String> preference, Map<String, Double> weights) {
    public static final MergePolicy TOP_K =
            new MergePolicy(MergeKind.TOP_K_BY_SCORE, List.of(), Map.of());
}
