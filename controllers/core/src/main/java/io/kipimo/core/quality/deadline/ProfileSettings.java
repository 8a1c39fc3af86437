package io.kipimo.core.quality.deadline;

import io.kipimo.core.quality.similarity.Similarities;
import io.kipimo.core.quality.similarity.Similarity;
import io.kipimo.schemas.policy.MergeKind;
import io.kipimo.schemas.policy.MergePolicy;
import io.kipimo.schemas.policy.Policy;

/**
 * The parts of a policy that profiling needs.
 *
 * @param similarity the policy's first
 */
public record ProfileSettings(MergePolicy merge, int topK, Similarity similarity) {

    /** @throws IllegalArgumentException if the first metric is unknown; the message lists what is allowed */
    public static ProfileSettings of(Policy policy) {
        return new ProfileSettings(
                policy.merge(),
                policy.topK(),
                Similarities.parse(policy.metrics().get(0)));
    }

    /** Whether answers can be merged again. */
    public boolean mergesPartials() {
        return merge.kind() != MergeKind.REPLAYED_ANSWERS;
    }
}
