package io.kipimo.core.quality.deadline;

import io.kipimo.core.quality.merge.Part;
import io.kipimo.core.quality.similarity.Ranking;
import io.kipimo.schemas.policy.MergePolicy;
import java.util.List;

/** Answers merged from some of the parts of one query. The parts are in order of arrival. */
interface SubsetAnswers {
    /** The answer of the first {@code count} parts. */
    Ranking ofFirst(int count);

    /** The answer of the first {@code count} parts without part {@code index}, which is one of them. */
    Ranking ofFirstWithout(int count, int index);

    /** The answer of the first {@code count} parts and part {@code index}, which is not one of them. */
    Ranking ofFirstAnd(int count, int index);

    /** The answers by a service's merge function. Merges by score alone reuse former answers. */
    static SubsetAnswers of(List<Part> parts, MergePolicy merge, int topK) {
        return switch (merge.kind()) {
            case TOP_K_BY_SCORE -> new ScoredAnswers(parts, component -> 1, topK);
            case UNION -> new ScoredAnswers(parts, component -> 1, Integer.MAX_VALUE);
            case WEIGHTED -> new ScoredAnswers(parts, c -> merge.weights().getOrDefault(c, 1.0), topK);
            case PREFERRED -> new MergedAnswers(parts, merge, topK);
            case REPLAYED_ANSWERS ->
                throw new IllegalArgumentException("merge is REPLAYED_ANSWERS; allowed: one that merges parts");
        };
    }
}
