package io.kipimo.core.quality.deadline;

import io.kipimo.core.quality.merge.Merge;
import io.kipimo.core.quality.merge.Merges;
import io.kipimo.core.quality.merge.Part;
import io.kipimo.core.quality.similarity.Ranking;
import io.kipimo.schemas.policy.MergePolicy;
import java.util.ArrayList;
import java.util.List;

/** Merges every answer anew from all of its parts, by any merge function. */
final class MergedAnswers implements SubsetAnswers {
    private final List<Part> parts;
    private final Merge merge;
    private final int topK;

    MergedAnswers(List<Part> parts, MergePolicy merge, int topK) {
        this.parts = parts;
        this.merge = Merges.of(merge);
        this.topK = topK;
    }

    @Override
    public Ranking ofFirst(int count) {
        return merge.merge(parts.subList(0, count), topK);
    }

    @Override
    public Ranking ofFirstWithout(int count, int index) {
        List<Part> others = new ArrayList<>(parts.subList(0, count));
        others.remove(index);
        return merge.merge(others, topK);
    }

    @Override
    public Ranking ofFirstAnd(int count, int index) {
        List<Part> more = new ArrayList<>(parts.subList(0, count));
        more.add(parts.get(index));
        return merge.merge(more, topK);
    }
}
