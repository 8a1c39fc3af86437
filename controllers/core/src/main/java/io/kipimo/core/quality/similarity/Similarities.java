package io.kipimo.core.quality.similarity;

import io.kipimo.schemas.field.Decimals;
import java.util.Optional;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;

/**
 * The similarity functions by name. With O the best k of the online answer and M the best k of the mature one (each may
 * have fewer than k):
 *
 * <ul>
 *   <li>{@code tpr@k}: |O and M| / |M|, the true positive rate (Ubora, sec. 7.1), trec_eval's {@code recall_k};
 *   <li>{@code precision@k}: |O and M| / |O|; trec_eval's {@code P_k} divides by k instead, which differs for short
 *       answers only;
 *   <li>{@code jaccard@k}: |O and M| / |O or M|;
 *   <li>{@code ndcg@k}, {@code ndcg_exp@k}: {@link DiscountedGain}, trec_eval's {@code ndcg_cut_k} and its variant with
 *       exponential gain;
 *   <li>{@code ap@k}: {@link AveragePrecision}, trec_eval's {@code map_cut_k};
 *   <li>{@code weighted@k}: sum of 1/rank over the items of M that are in O, by their rank in M, over the same sum of
 *       all M;
 *   <li>{@code kendall@k}: {@link KendallTau};
 *   <li>{@code rbo@p}: {@link RankBiasedOverlap}, over the whole answers;
 *   <li>the functions of a {@link SimilarityProvider}.
 * </ul>
 */
public final class Similarities {
    private static final int MAXIMUM_K = 10_000;

    private static final String ALLOWED =
            "tpr@k, precision@k, jaccard@k, ndcg@k, ndcg_exp@k, ap@k, weighted@k, kendall@k with k 1.."
                    + MAXIMUM_K
                    + "; rbo@p with p in (0, 1); the names of a SimilarityProvider on the class path";

    private Similarities() {}

    /**
     * The function of a name such as {@code ndcg@10} or {@code rbo@0.9}.
     *
     * @throws IllegalArgumentException if there is no such function or its parameter is out of range; the message lists
     *     what is allowed
     */
    public static Similarity parse(String spec) {
        return builtIn(spec).or(() -> provided(spec)).map(Similarities::guarded).orElseThrow(() -> refused(spec));
    }

    private static Optional<Similarity> builtIn(String spec) {
        int at = spec.indexOf('@');
        if (at < 0) {
            return Optional.empty();
        }
        String parameter = spec.substring(at + 1);
        return switch (spec.substring(0, at)) {
            case "tpr" -> Optional.of(Overlap.truePositiveRate(spec, cutOff(spec, parameter)));
            case "precision" -> Optional.of(Overlap.precision(spec, cutOff(spec, parameter)));
            case "jaccard" -> Optional.of(Overlap.jaccard(spec, cutOff(spec, parameter)));
            case "weighted" -> Optional.of(new WeightedOverlap(spec, cutOff(spec, parameter)));
            case "ndcg" -> Optional.of(DiscountedGain.linear(spec, cutOff(spec, parameter)));
            case "ndcg_exp" -> Optional.of(DiscountedGain.exponential(spec, cutOff(spec, parameter)));
            case "ap" -> Optional.of(new AveragePrecision(spec, cutOff(spec, parameter)));
            case "kendall" -> Optional.of(new KendallTau(spec, cutOff(spec, parameter)));
            case "rbo" -> Optional.of(new RankBiasedOverlap(spec, persistence(spec, parameter)));
            default -> Optional.empty();
        };
    }

    private static Optional<Similarity> provided(String spec) {
        try {
            return ServiceLoader.load(SimilarityProvider.class).stream()
                    .map(provider -> provider.get().parse(spec))
                    .flatMap(Optional::stream)
                    .findFirst();
        } catch (ServiceConfigurationError | LinkageError e) {
            throw new IllegalArgumentException("similarity is '" + spec + "', but a SimilarityProvider fails: " + e, e);
        }
    }

    private static int cutOff(String spec, String text) {
        try {
            int k = Integer.parseInt(text);
            if (k >= 1 && k <= MAXIMUM_K) {
                return k;
            }
        } catch (NumberFormatException e) {
            throw refused(spec, e);
        }
        throw refused(spec);
    }

    private static double persistence(String spec, String text) {
        double p = Decimals.parse(text);
        if (p > 0 && p < 1) {
            return p;
        }
        throw refused(spec);
    }

    /** Adds the checks of all functions: empty answers and the range of the result. */
    private static Similarity guarded(Similarity similarity) {
        return new Similarity() {
            @Override
            public String name() {
                return similarity.name();
            }

            @Override
            public double of(Ranking online, Ranking mature) {
                if (mature.isEmpty()) {
                    return 1;
                }
                if (online.isEmpty()) {
                    return 0;
                }
                double value = similarity.of(online, mature);
                // Sums in another order may exceed 1 by an ulp.
                if (value > 1 && value < 1 + 1e-9) {
                    return 1;
                }
                if (!(value >= 0 && value <= 1)) {
                    throw new IllegalStateException("similarity " + name() + " is " + value + "; allowed: 0..1");
                }
                return value;
            }

            @Override
            public Optional<double[]> itemShares(Ranking online, Ranking mature) {
                return similarity.itemShares(online, mature);
            }
        };
    }

    private static IllegalArgumentException refused(String spec) {
        return refused(spec, null);
    }

    private static IllegalArgumentException refused(String spec, NumberFormatException cause) {
        return new IllegalArgumentException("similarity is '" + spec + "'; allowed: " + ALLOWED, cause);
    }
}
