package io.kipimo.core.quality.deadline;

import static org.assertj.core.api.Assertions.assertThat;

import io.kipimo.core.quality.merge.Part;
import io.kipimo.schemas.policy.MergeKind;
import io.kipimo.schemas.policy.MergePolicy;
import io.kipimo.schemas.quality.Items;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

/** Incrementally built answers equal answers merged from all their parts. */
class SubsetAnswersPropertyTest {
    @Property(tries = 500, seed = "4711")
    void buildingOnEarlierAnswersEqualsMerging(
            @ForAll long seed,
            @ForAll @IntRange(min = 1, max = 12) int size,
            @ForAll @IntRange(min = 1, max = 9) int topK) {
        Random random = new Random(seed);
        List<Part> parts = new ArrayList<>();
        for (int i = 0; i < size; i++) {
            parts.add(new Part("c" + i, items(random)));
        }
        for (MergePolicy merge : List.of(
                MergePolicy.TOP_K,
                new MergePolicy(MergeKind.UNION, List.of(), Map.of()),
                new MergePolicy(MergeKind.WEIGHTED, List.of(), Map.of("c0", 2.5, "c3", 0.125)))) {
            SubsetAnswers building = SubsetAnswers.of(parts, merge, topK);
            SubsetAnswers merging = new MergedAnswers(parts, merge, topK);
            assertThat(building).isInstanceOf(ScoredAnswers.class);
            for (int count = 0; count <= size; count++) {
                assertThat(building.ofFirst(count)).isEqualTo(merging.ofFirst(count));
                for (int i = 0; i < size; i++) {
                    if (i < count) {
                        assertThat(building.ofFirstWithout(count, i)).isEqualTo(merging.ofFirstWithout(count, i));
                    } else {
                        assertThat(building.ofFirstAnd(count, i)).isEqualTo(merging.ofFirstAnd(count, i));
                    }
                }
            }
        }
    }

    /** Few ids and few scores, so that there are many duplicates and ties; some results are long and unsorted. */
    private static Items items(Random random) {
        int size = random.nextInt(20) == 0 ? 100 : random.nextInt(8);
        long[] ids = new long[size];
        float[] scores = new float[size];
        for (int i = 0; i < size; i++) {
            ids[i] = random.nextInt(30) - 15L;
            scores[i] = random.nextInt(6) - 2;
        }
        return Items.ofNumbers(ids, scores);
    }
}
