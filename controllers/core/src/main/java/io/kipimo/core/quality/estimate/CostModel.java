package io.kipimo.core.quality.estimate;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.apache.commons.math3.linear.Array2DRowRealMatrix;
import org.apache.commons.math3.linear.ArrayRealVector;
import org.apache.commons.math3.linear.CholeskyDecomposition;
import org.apache.commons.math3.linear.RealMatrix;
import org.apache.commons.math3.linear.RealVector;

/**
 * The learned cost of each missing component by one metric: ridge regression of the loss of sampled degraded answers on
 * their missing components, shrunk to the usual cost of a missing component. Immutable.
 *
 * <p>{@code loss = x' cost + residual}. The costs come from a long memory. They are slopes around the mean loss,
 * because losses are not exactly additive. The mean residual comes from a shorter memory. If the samples of the
 * averaging window contradict it, as after a change of the index, these samples replace it ({@link #corrected}).
 */
public final class CostModel {
    /** Fewest samples that give a model. */
    static final double LEAST_SAMPLES = 30;

    /** Ratio of the residual variance to the variance of the costs around the usual cost. */
    private static final double RIDGE = 0.5;

    /** Added to the sum of the squares of the observed residuals. */
    private static final double GUARD = 0.2;

    /** Samples contradict the remembered mean residual if they differ from it by more than so many standard errors. */
    private static final double CONTRADICTION = 3;

    /** Fewest samples that can contradict the remembered mean residual. */
    private static final int LEAST_CONTRADICTING = 5;

    private final Map<String, Integer> places;
    private final int others;
    private final RealVector costs;
    private final RealMatrix covariance;
    private final RealVector recentMissing;
    final double recentResidual;
    final double recentVariance;
    final double recentUnseen;
    final double residualVariance;
    final int degreesOfFreedom;

    private CostModel(
            CostModel model,
            RealVector recentMissing,
            double recentResidual,
            double recentUnseen,
            double residualVariance,
            int samples) {
        this.places = model.places;
        this.others = model.others;
        this.costs = model.costs;
        this.covariance = model.covariance.scalarMultiply(residualVariance / model.residualVariance);
        this.recentMissing = recentMissing;
        this.recentResidual = recentResidual;
        this.recentVariance = residualVariance / samples;
        this.recentUnseen = recentUnseen;
        this.residualVariance = residualVariance;
        this.degreesOfFreedom = Math.min(model.degreesOfFreedom, Math.max(1, samples - 1));
    }

    private CostModel(CostSums lasting, CostSums recent, String metric) {
        places = new HashMap<>();
        for (String component : lasting.components) {
            places.put(component, places.size());
        }
        others = places.computeIfAbsent(CostSums.OTHERS, o -> places.size());
        int size = places.size();
        int named = lasting.components.length;
        CostSums.MetricLosses losses = lasting.losses.get(metric);

        RealMatrix pairs = new Array2DRowRealMatrix(size, size);
        RealVector lost = new ArrayRealVector(size);
        double meanLoss = losses.loss / lasting.answers;
        double absences = 0;
        for (int i = 0; i < named; i++) {
            absences += lasting.missing[i];
            double without = i < losses.lossWithout.length ? losses.lossWithout[i] : 0;
            lost.setEntry(i, without - lasting.missing[i] * meanLoss);
            for (int j = 0; j < named; j++) {
                pairs.setEntry(
                        i,
                        j,
                        lasting.pairs[CostSums.pair(i, j)] - lasting.missing[i] * lasting.missing[j] / lasting.answers);
            }
        }
        double usual = absences == 0 ? 0 : losses.loss / absences;
        RealVector usually = new ArrayRealVector(size, usual);
        RealMatrix ridged = pairs.copy();
        for (int i = 0; i < size; i++) {
            ridged.addToEntry(i, i, RIDGE);
        }
        RealMatrix inverse = new CholeskyDecomposition(ridged).getSolver().getInverse();
        costs = usually.add(inverse.operate(lost.subtract(pairs.operate(usually))));

        double squares = losses.squaredLoss
                - losses.loss * meanLoss
                - 2 * costs.dotProduct(lost)
                + costs.dotProduct(pairs.operate(costs));
        double effective = effective(lasting);
        double parameters = Math.min(effective / 2, 1 + pairs.multiply(inverse).getTrace());
        residualVariance = (Math.max(0, squares) / lasting.answers * effective + GUARD) / (effective - parameters);
        degreesOfFreedom = (int) Math.max(1, effective - parameters);
        covariance = inverse.scalarMultiply(residualVariance * lasting.squaredWeights / lasting.answers);

        CostSums.MetricLosses recentLosses = recent.losses.get(metric);
        recentMissing = new ArrayRealVector(size);
        for (int i = 0; i < recent.components.length; i++) {
            recentMissing.addToEntry(place(recent.components[i]), recent.missing[i]);
        }
        recentMissing.mapDivideToSelf(recent.answers);
        recentResidual = recentLosses.loss / recent.answers - recentMissing.dotProduct(costs);
        recentVariance = residualVariance / effective(recent);
        recentUnseen = recentLosses.unseen / recent.answers;
    }

    /** Number of equally weighted answers that would carry as much information. */
    private static double effective(CostSums sums) {
        return sums.answers * sums.answers / sums.squaredWeights;
    }

    /** The model by a metric; empty with fewer than {@value #LEAST_SAMPLES} samples. */
    public static Optional<CostModel> of(CostMemory memory, String metric) {
        return memory.lasting.answers < LEAST_SAMPLES
                        || !memory.lasting.losses.containsKey(metric)
                        || !memory.recent.losses.containsKey(metric)
                ? Optional.empty()
                : Optional.of(new CostModel(memory.lasting, memory.recent, metric));
    }

    /**
     * This model if the samples of the averaging window do not contradict its mean residual. Otherwise a model with the
     * mean residual of these samples, whose residual variance is at least the variance of their losses.
     */
    CostModel corrected(MissingCounts averaged) {
        StratumCounts strata = averaged.strata();
        int samples = strata.degradedSamples();
        if (samples < LEAST_CONTRADICTING) {
            return this;
        }
        RealVector missing = vector(averaged.sampledMissing()).mapDivide((double) samples);
        double residual = 1 - strata.degradedLow().mean() - loss(missing);
        double error =
                Math.sqrt(residualVariance / samples + recentVariance + variance(missing.subtract(recentMissing)));
        if (Math.abs(residual - recentResidual) <= CONTRADICTION * error) {
            return this;
        }
        return new CostModel(
                this,
                missing,
                residual,
                strata.degradedHigh().mean() - strata.degradedLow().mean(),
                Math.max(residualVariance, strata.degradedLow().variance()),
                samples);
    }

    /** Counts by component as a vector. */
    RealVector vector(Map<String, Long> missing) {
        RealVector vector = new ArrayRealVector(costs.getDimension());
        missing.forEach((component, answers) -> vector.addToEntry(place(component), (double) answers));
        return vector;
    }

    private int place(String component) {
        return places.getOrDefault(component, others);
    }

    /** Predicted loss of answers that lack these components. */
    double loss(RealVector missing) {
        return missing.dotProduct(costs);
    }

    /** Share of the samples behind {@code recentResidual} that lack each component. */
    RealVector recentMissing() {
        return recentMissing;
    }

    /** Variance of the predicted loss of answers that lack these components. */
    double variance(RealVector missing) {
        return missing.dotProduct(covariance.operate(missing));
    }
}
