package io.kipimo.core.admission;

import io.kipimo.schemas.decision.CostStep;
import io.kipimo.schemas.decision.Decision;
import io.kipimo.schemas.quality.CostDecile;
import java.util.ArrayList;
import java.util.List;

/**
 * Sheds the costliest queries first, by predicted cost, such that the admitted share of the <em>work</em> is the
 * fraction that the controller chose. Uniform admission at that fraction admits the same share, so the controller is
 * the same in both cases.
 *
 * <p>Predictions only order the deciles. The work of a decile is measured on its answers. Adjacent deciles whose work
 * does not increase with the prediction are pooled (isotonic regression by pooling of adjacent violators), and share
 * one fraction. So if a prediction does not tell the cost, or tells the opposite, admission is uniform, and not more
 * work is admitted.
 */
public final class CostOrder {
    /** The work of a decile with fewer answers than this counts as unknown. */
    static final int LEAST_ANSWERS = 20;

    /** Fractions this close are equal. */
    private static final double ROUNDING = 1e-9;

    private CostOrder() {}

    /**
     * The admitted fraction of each range of predicted cost, ascending. Empty, which means uniform admission, in these
     * cases: uniform admission is asked for; the work of a decile is unknown; predictions do not order the work.
     *
     * @param deciles of the offered queries, ascending
     * @param fraction share of the work to admit, 0..1
     * @param costOrder greatest share of a decile that may be shed in favour of cheaper queries
     */
    public static List<CostStep> steps(List<CostDecile> deciles, double fraction, double costOrder) {
        double least = Math.min(1 - costOrder, fraction);
        if (!(costOrder > 0 && fraction - least > ROUNDING && fraction < 1) || !isKnown(deciles)) {
            return List.of();
        }
        List<Pool> pools = pools(deciles);
        if (pools.size() < 2) {
            return List.of();
        }
        double budget =
                (fraction - least) * pools.stream().mapToDouble(Pool::work).sum();
        List<CostStep> steps = new ArrayList<>();
        for (Pool pool : pools) {
            double more = Math.max(0, Math.min(1 - least, budget / pool.work()));
            budget -= more * pool.work();
            steps.add(new CostStep(pool.upTo(), Math.min(1, least + more)));
        }
        return steps;
    }

    private static boolean isKnown(List<CostDecile> deciles) {
        for (CostDecile decile : deciles) {
            if (decile.answered() < LEAST_ANSWERS || decile.offered() <= 0 || !CostBins.isKnown(decile.workMicros())) {
                return false;
            }
        }
        return true;
    }

    /**
     * Adjacent deciles that share one fraction.
     *
     * @param work work of all queries of these deciles, microseconds
     */
    private record Pool(double upTo, double queries, double work) {
        double mean() {
            return work / queries;
        }
    }

    private static List<Pool> pools(List<CostDecile> deciles) {
        List<Pool> pools = new ArrayList<>();
        for (CostDecile decile : deciles) {
            Pool pool = new Pool(decile.upTo(), decile.offered(), decile.offered() * decile.workMicros());
            while (!pools.isEmpty() && pools.get(pools.size() - 1).mean() >= pool.mean()) {
                Pool before = pools.remove(pools.size() - 1);
                pool = new Pool(pool.upTo(), before.queries() + pool.queries(), before.work() + pool.work());
            }
            pools.add(pool);
        }
        return pools;
    }

    /**
     * Returns the admitted fraction of a query with this predicted cost. The decision's fractions by cost apply only
     * while the actuator applies exactly the decided fraction. They do not apply while it still approaches that
     * fraction, or after the lease.
     *
     * @param inForce fraction that the actuator applies now, 0..1
     * @param cost predicted cost in the unit that front ends state; it counts as unknown unless it is finite and above
     *     0
     */
    public static double fraction(Decision decision, double inForce, double cost) {
        List<CostStep> steps = decision.costOrder();
        if (steps.isEmpty() || inForce != decision.value() || !CostBins.isKnown(cost)) {
            return inForce;
        }
        for (CostStep step : steps) {
            if (cost < step.upTo()) {
                return step.fraction();
            }
        }
        return steps.get(steps.size() - 1).fraction();
    }
}
