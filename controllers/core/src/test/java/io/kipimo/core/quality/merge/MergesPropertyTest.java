package io.kipimo.core.quality.merge;

import static org.assertj.core.api.Assertions.assertThat;

import io.kipimo.core.quality.similarity.Ranking;
import io.kipimo.schemas.policy.MergeKind;
import io.kipimo.schemas.policy.MergePolicy;
import io.kipimo.schemas.quality.Items;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.statistics.Statistics;

class MergesPropertyTest {
    @Property(seed = "41")
    void topKEqualsSortingAllAndTakingTheFirst(@ForAll long seed, @ForAll @IntRange(min = 1, max = 60) int topK) {
        List<Part> parts = randomParts(new Random(seed));
        Map<Long, Float> best = new HashMap<>();
        for (Part part : parts) {
            for (int i = 0; i < part.items().size(); i++) {
                best.merge(part.items().id(i), part.items().score(i), Math::max);
            }
        }
        List<Map.Entry<Long, Float>> sorted = new ArrayList<>(best.entrySet());
        sorted.sort(Map.Entry.<Long, Float>comparingByValue(Comparator.reverseOrder())
                .thenComparing(Map.Entry.comparingByKey((a, b) -> Long.compareUnsigned(b, a))));
        long[] expected =
                sorted.stream().limit(topK).mapToLong(Map.Entry::getKey).toArray();
        assertThat(merge(parts, topK)).isEqualTo(Ranking.of(expected));
    }

    @Property(tries = 300, seed = "42")
    void theOrderOfThePartsHasNoInfluence(@ForAll long seed) {
        Random random = new Random(seed);
        List<Part> parts = randomParts(random);
        Ranking merged = merge(parts, 20);
        Collections.shuffle(parts, random);
        assertThat(merge(parts, 20)).isEqualTo(merged);
    }

    @Property(tries = 300, seed = "43")
    void anAnswerThatGrowsIsTheOneThatIsMadeAtOnce(
            @ForAll long seed, @ForAll MergeKind kind, @ForAll @IntRange(min = 1, max = 40) int k) {
        Random random = new Random(seed);
        Merge merge = Merges.of(new MergePolicy(kind, List.of("p2", "p1"), Map.of("p1", 0.3, "p2", 2.0)));
        List<Part> always = randomParts(random);
        List<List<Part>> players = new ArrayList<>();
        for (int player = random.nextInt(5); player >= 0; player--) {
            players.add(randomParts(random));
        }
        Coalitions coalitions = merge.coalitions(always, players, k);
        long set = 0;
        for (int i = 0; i < 40; i++) {
            // Coalitions in numeric order, then growing by one player, then random.
            long one = 1L << random.nextInt(players.size());
            set = i < 16 ? i : i < 25 ? set | one : random.nextLong();
            set &= (1L << players.size()) - 1;
            List<Part> parts = new ArrayList<>(always);
            for (int player = 0; player < players.size(); player++) {
                if ((set >>> player & 1) == 1) {
                    parts.addAll(players.get(player));
                }
            }
            assertThat(coalitions.with(set)).isEqualTo(merge.merge(parts, k));
        }
    }

    /** Of answers in which parts give an item several scores, also within a part. */
    @Property(tries = 300, seed = "44")
    void bestItemsAreSaidToBeKeptOnlyIfEachAnswerHasThoseOfItsParts(
            @ForAll long seed, @ForAll @IntRange(min = 1, max = 20) int k) {
        Random random = new Random(seed);
        List<Part> always = randomParts(random);
        List<List<Part>> players = List.of(randomParts(random), randomParts(random), randomParts(random));
        Part[] parts = Stream.concat(Stream.of(always), players.stream())
                .flatMap(List::stream)
                .toArray(Part[]::new);
        Coalitions coalitions = Merges.of(MergePolicy.TOP_K).coalitions(always, players, k);
        Ranking all = coalitions.with(7);
        if (all.isEmpty()) {
            return;
        }
        int best = 1 + random.nextInt(all.size());
        BitSet[] ranks = Stream.of(parts).map(part -> all.ranksOf(part.items())).toArray(BitSet[]::new);
        boolean keeps = coalitions.keepBest(best, parts, ranks);
        boolean areKept = true;
        for (int set = 0; set < 8; set++) {
            List<Part> own = new ArrayList<>(always);
            for (int player = 0; player < 3; player++) {
                own.addAll((set >>> player & 1) == 1 ? players.get(player) : List.of());
            }
            Ranking answer = coalitions.with(set);
            int expected = 0;
            for (int rank = 0; rank < best; rank++) {
                long id = all.id(rank);
                expected += own.stream().anyMatch(part -> holds(part, id)) ? 1 : 0;
            }
            int first = 0;
            while (first < answer.size() && all.hasInTop(answer.id(first), best)) {
                first++;
            }
            areKept &= first == expected;
        }
        assertThat(!keeps || areKept).as("kept: %s", areKept).isTrue();
        Statistics.label("kept").collect(keeps);
        Statistics.label("kept").coverage(coverage -> coverage.check(true).count(many -> many >= 5));
    }

    private static boolean holds(Part part, long id) {
        for (int i = 0; i < part.items().size(); i++) {
            if (part.items().id(i) == id) {
                return true;
            }
        }
        return false;
    }

    private static Ranking merge(List<Part> parts, int topK) {
        return Merges.of(MergePolicy.TOP_K).merge(parts, topK);
    }

    private static List<Part> randomParts(RandomGenerator random) {
        List<Part> parts = new ArrayList<>();
        int differentScores = 1 + random.nextInt(50);
        for (int part = random.nextInt(6); part > 0; part--) {
            long[] numbers = new long[random.nextInt(30)];
            float[] scores = new float[numbers.length];
            for (int i = 0; i < numbers.length; i++) {
                numbers[i] = random.nextLong(80) - 20;
                scores[i] = random.nextInt(differentScores);
            }
            parts.add(new Part("p" + part, Items.ofNumbers(numbers, scores)));
        }
        return parts;
    }
}
