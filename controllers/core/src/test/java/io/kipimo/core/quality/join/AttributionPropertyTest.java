package io.kipimo.core.quality.join;

import static io.kipimo.core.quality.join.Events.KEY;
import static io.kipimo.core.quality.join.Events.START;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.kipimo.core.quality.merge.Part;
import io.kipimo.core.quality.similarity.Ranking;
import io.kipimo.core.quality.similarity.Similarity;
import io.kipimo.schemas.policy.MergeKind;
import io.kipimo.schemas.policy.MergePolicy;
import io.kipimo.schemas.policy.Policy;
import io.kipimo.schemas.quality.Completeness;
import io.kipimo.schemas.quality.ComponentShare;
import io.kipimo.schemas.quality.Invocation;
import io.kipimo.schemas.quality.Items;
import io.kipimo.schemas.quality.Measurement;
import io.kipimo.schemas.quality.Phase;
import io.kipimo.schemas.quality.SampledEvent;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.random.RandomGenerator;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

/** Losses of late components against their Shapley values by definition, over all coalitions. */
class AttributionPropertyTest {
    private static final List<String> METRICS =
            List.of("tpr", "precision", "ap", "weighted", "jaccard", "ndcg", "kendall");

    /** Metrics that sum over items; the precision does if the online answer is full. */
    private static final List<String> SUMS = METRICS.subList(0, 4);

    private static final int TOP_K = 6;

    @Property(tries = 400, seed = "61")
    void lossesAreShapleyValues(
            @ForAll long seed, @ForAll MergeKind merge, @ForAll @IntRange(min = 1, max = 8) int late) {
        if (merge == MergeKind.REPLAYED_ANSWERS) {
            return;
        }
        Random random = new Random(seed);
        String metric = METRICS.get(random.nextInt(METRICS.size())) + "@" + (1 + random.nextInt(9));
        assertThatLossesAreShapleyValues(
                new Query(random, late, random.nextInt(4), random.nextBoolean()), settings(metric, merge));
    }

    /** Above eight players, only the closed form is exact. */
    @Property(tries = 60, seed = "62")
    void lossesOfManyAreExactIfTheMetricIsASumOverItems(
            @ForAll long seed, @ForAll @IntRange(min = 9, max = 11) int late) {
        Random random = new Random(seed);
        String metric = SUMS.get(random.nextInt(SUMS.size()));
        assertThatLossesAreShapleyValues(
                new Query(random, late, 12, false),
                settings(
                        metric + "@" + (1 + random.nextInt(TOP_K)),
                        random.nextBoolean() ? MergeKind.TOP_K_BY_SCORE : MergeKind.UNION));
    }

    /** Each item of the mature answer has one holder; more components than Shapley has players. */
    @Test
    void eachOfHundredsOfComponentsLosesItsShareOfTheItems() {
        int late = 300;
        int best = 100;
        OpenQuery query = new OpenQuery();
        List<Invocation> invocations = new ArrayList<>();
        for (int c = 0; c < late; c++) {
            invocations.add(Events.timedOut("c" + c));
            query.take(result("c" + c, Phase.MATURE, new long[] {c}, new float[] {c}));
        }
        query.take(Events.answer(invocations.toArray(Invocation[]::new)));
        Measurement measurement =
                Measuring.merged(KEY, query, settings("tpr@" + best, MergeKind.UNION), Completeness.COMPLETE, START);
        for (ComponentShare share : measurement.components()) {
            boolean isBest = Integer.parseInt(share.component().substring(1)) >= late - best;
            assertThat(share.lostQuality()).isCloseTo(isBest ? 0.01 : 0, within(1e-12));
        }
    }

    @Test
    void nothingIsAttributedIfAnInTimeResultNeverReachedTheLog() {
        OpenQuery query = new OpenQuery();
        query.take(result("b", Phase.MATURE, new long[] {1}, new float[] {1}));
        query.take(result("c", Phase.MATURE, new long[] {2}, new float[] {2}));
        query.take(Events.answer(Events.inTime("a"), Events.timedOut("b"), Events.timedOut("c")));
        Measurement measurement = Events.expire(KEY, query, settings("tpr@4", MergeKind.TOP_K_BY_SCORE))
                .orElseThrow();
        assertThat(measurement.scores().get(0).high()).isZero();
        assertThat(measurement.components()).allMatch(share -> share.lostQuality() == 0);
        assertThat(measurement.components())
                .extracting(ComponentShare::contribution)
                .containsExactly(0.0, 0.5, 0.5);
    }

    private static void assertThatLossesAreShapleyValues(Query query, QualitySettings settings) {
        Measurement measurement = Measuring.merged(KEY, query.open, settings, Completeness.COMPLETE, START);
        double[] expected = query.shapleyValues(settings);
        for (int late = 0; late < expected.length; late++) {
            assertThat(measurement.components().get(query.inTime + late).lostQuality())
                    .as("%s, late %d", settings.similarities().get(0).name(), late)
                    .isCloseTo(expected[late], within(1e-9));
        }
    }

    private static QualitySettings settings(String metric, MergeKind merge) {
        return QualitySettings.of(Policy.builder()
                .service("shop")
                .metrics(List.of(metric))
                .topK(TOP_K)
                .merge(new MergePolicy(
                        merge,
                        merge == MergeKind.PREFERRED ? List.of("late2", "late0") : List.of(),
                        merge == MergeKind.WEIGHTED ? Map.of("late1", 0.5, "late3", 2.0) : Map.of()))
                .build());
    }

    private static SampledEvent result(String component, Phase phase, long[] ids, float[] scores) {
        return Events.partial(component, phase, START + 20, Items.ofNumbers(ids, scores));
    }

    /** A query with one in-time component, or none, and late ones. */
    private static final class Query {
        private final OpenQuery open = new OpenQuery();
        private final List<Part> online = new ArrayList<>();
        private final List<Part> late = new ArrayList<>();
        private final int inTime;

        /**
         * @param onlineItems number of items in time; 0: no component was in time
         * @param manyScores whether an item has another score in each result
         */
        Query(RandomGenerator random, int lateOnes, int onlineItems, boolean manyScores) {
            inTime = onlineItems == 0 ? 0 : 1;
            int different = 1 + random.nextInt(30);
            List<Invocation> invocations = new ArrayList<>();
            if (inTime > 0) {
                invocations.add(Events.inTime("online"));
                add(random, "online", Phase.ONLINE, onlineItems, manyScores, different, online);
            }
            for (int l = 0; l < lateOnes; l++) {
                invocations.add(Events.timedOut("late" + l));
                int items = random.nextInt(6);
                add(random, "late" + l, Phase.MATURE, items, manyScores, different, late);
            }
            open.take(Events.answer(invocations.toArray(Invocation[]::new)));
        }

        private void add(
                RandomGenerator random,
                String component,
                Phase phase,
                int items,
                boolean manyScores,
                int different,
                List<Part> parts) {
            // Distinct items of a result; several results may have the same.
            long[] ids = new Random(random.nextLong())
                    .longs(0, 20)
                    .distinct()
                    .limit(items)
                    .toArray();
            float[] scores = new float[ids.length];
            for (int i = 0; i < ids.length; i++) {
                scores[i] = manyScores ? random.nextInt(different) : ids[i] * 7 % different;
            }
            parts.add(new Part(component, Items.ofNumbers(ids, scores)));
            open.take(result(component, phase, ids, scores));
        }

        double[] shapleyValues(QualitySettings settings) {
            int players = late.size();
            List<Part> all = new ArrayList<>(online);
            all.addAll(late);
            Ranking mature = settings.merge().merge(all, TOP_K);
            Similarity metric = settings.similarities().get(0);
            double[] worth = new double[1 << players];
            for (int coalition = 0; coalition < worth.length; coalition++) {
                List<Part> parts = new ArrayList<>(online);
                for (int player = 0; player < players; player++) {
                    if ((coalition >> player & 1) == 1) {
                        parts.add(late.get(player));
                    }
                }
                worth[coalition] = metric.of(settings.merge().merge(parts, TOP_K), mature);
            }
            double[] values = new double[players];
            for (int coalition = 0; coalition < worth.length; coalition++) {
                double weight = 1.0 / players;
                for (int i = 1; i <= Integer.bitCount(coalition); i++) {
                    weight *= (double) i / (players - i);
                }
                for (int player = 0; player < players; player++) {
                    if ((coalition >> player & 1) == 0) {
                        values[player] += weight * (worth[coalition | 1 << player] - worth[coalition]);
                    }
                }
            }
            return values;
        }
    }
}
