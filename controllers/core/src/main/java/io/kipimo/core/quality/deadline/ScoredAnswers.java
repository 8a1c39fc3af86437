package io.kipimo.core.quality.deadline;

import io.kipimo.core.quality.merge.Part;
import io.kipimo.core.quality.merge.ScoredRanking;
import io.kipimo.core.quality.similarity.Ranking;
import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * Merges answers of the k best scores. The answer of the first j parts is merged from the answer of the first j - 1
 * parts and part j. An answer without one part is merged from the answer of the parts before and the answer of the
 * parts behind that part. So n parts of m items cost O(n (k + m)) for all 2 n + 1 answers, not O(n^2 m).
 */
final class ScoredAnswers implements SubsetAnswers {
    private final List<Part> parts;
    private final ToDoubleFunction<String> weight;
    private final int topK;

    /** {@code upTo[j]}: answer of the first j parts. */
    private final ScoredRanking[] upTo;

    /** {@code behind[j]}: answer of the parts from j on, without those at or after the count that it was made for. */
    private ScoredRanking[] behind = {};

    ScoredAnswers(List<Part> parts, ToDoubleFunction<String> weight, int topK) {
        this.parts = parts;
        this.weight = weight;
        this.topK = topK;
        this.upTo = new ScoredRanking[parts.size() + 1];
        upTo[0] = ScoredRanking.EMPTY;
        for (int i = 0; i < parts.size(); i++) {
            upTo[i + 1] = with(upTo[i], i);
        }
    }

    @Override
    public Ranking ofFirst(int count) {
        return upTo[count].ranking();
    }

    @Override
    public Ranking ofFirstWithout(int count, int index) {
        if (behind.length != count + 1) {
            behind = new ScoredRanking[count + 1];
            behind[count] = ScoredRanking.EMPTY;
            for (int i = count - 1; i >= 0; i--) {
                behind[i] = with(behind[i + 1], i);
            }
        }
        return upTo[index].with(behind[index + 1], topK).ranking();
    }

    @Override
    public Ranking ofFirstAnd(int count, int index) {
        return with(upTo[count], index).ranking();
    }

    private ScoredRanking with(ScoredRanking answer, int index) {
        Part part = parts.get(index);
        return answer.with(part, weight.applyAsDouble(part.component()), topK);
    }
}
