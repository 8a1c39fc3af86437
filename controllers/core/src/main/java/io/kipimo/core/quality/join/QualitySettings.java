package io.kipimo.core.quality.join;

import io.kipimo.core.quality.merge.Merge;
import io.kipimo.core.quality.merge.Merges;
import io.kipimo.core.quality.similarity.Similarities;
import io.kipimo.core.quality.similarity.Similarity;
import io.kipimo.schemas.policy.MergeKind;
import io.kipimo.schemas.policy.MergePolicy;
import io.kipimo.schemas.policy.Policy;
import io.kipimo.schemas.quality.Score;
import java.util.List;
import java.util.Optional;

/**
 * The parts of a policy that measuring and profiling need.
 *
 * @param merge null for services that merge nothing ({@link MergeKind#REPLAYED_ANSWERS})
 * @param similarities the primary one first, at least one
 * @param perfectScores scores of a complete answer, shared because most answers are complete
 */
public record QualitySettings(
        long expirationWindowMillis,
        int topK,
        MergePolicy mergePolicy,
        Merge merge,
        List<Similarity> similarities,
        List<Score> perfectScores) {

    /** @throws IllegalArgumentException if a metric is unknown; the message lists what is allowed */
    public static QualitySettings of(Policy policy) {
        List<Similarity> similarities =
                policy.metrics().stream().map(Similarities::parse).toList();
        return new QualitySettings(
                policy.expirationWindowMillis(),
                policy.topK(),
                policy.merge(),
                policy.merge().kind() == MergeKind.REPLAYED_ANSWERS ? null : Merges.of(policy.merge()),
                similarities,
                similarities.stream().map(s -> new Score(s.name(), 1, 1)).toList());
    }

    /**
     * The reason why the quality job cannot use a policy; empty if it can. This class path decides, but a job may have
     * other providers of metrics.
     */
    public static Optional<String> problem(Policy policy) {
        try {
            var unused = of(policy);
            return Optional.empty();
        } catch (IllegalArgumentException e) {
            return Optional.of(e.getMessage());
        }
    }

    /**
     * Greatest difference, either way, between the time of a measurement and event time when it is made, milliseconds.
     * A measurement may wait for the end of its window, and its last event may be ahead of event time.
     */
    public static long settleMillis(Policy policy) {
        return policy.expirationWindowMillis() + QueryJoin.LONGEST_LEAD_MILLIS;
    }

    /** Whether the join merges partial results; otherwise it compares replayed answers. */
    public boolean mergesPartials() {
        return merge != null;
    }
}
