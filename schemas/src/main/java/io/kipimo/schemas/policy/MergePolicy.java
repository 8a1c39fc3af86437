package io.kipimo.schemas.policy;

import io.kipimo.schemas.field.Name;
import io.kipimo.schemas.field.Range;
import java.util.List;
import java.util.Map;

/**
 * Method of merging a service's partial results, with its parameters.
 *
 * @param preference components in order of preference, {@link MergeKind#PREFERRED} only
 * @param weights positive weights by component, {@link MergeKind#WEIGHTED} only; absent: 1
 */
public record MergePolicy(
        MergeKind kind,
        @Name List<String> preference,
        @Name @Range(least = 1e-9, most = 1e9) Map<String, Double> weights) {
    public static final MergePolicy TOP_K = new MergePolicy(MergeKind.TOP_K_BY_SCORE, List.of(), Map.of());
}
