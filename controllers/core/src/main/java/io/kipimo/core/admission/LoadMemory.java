package io.kipimo.core.admission;

import io.kipimo.schemas.policy.Policy;
import io.kipimo.schemas.quality.QualityWindow;
import java.util.HashMap;
import java.util.Map;

/**
 * Load of each class of the policy in its newest batch, and the loads at which quality kept or missed its objective.
 * The law steers the load, not the fraction, because a fraction of fewer queries is less load.
 *
 * @param rates by class of the policy
 * @param carriedPerSecond greatest load of all classes at which quality kept its objective and has not missed it since,
 *     queries a second; infinite: quality was never shown to miss it
 * @param missedOpening opening at which the last step found that quality misses its objective; below 0: it did not find
 *     that. The load at that opening is known one step later, since the classes' batches end at different times
 * @param missedPerSecond load at which quality last missed its objective, queries a second; after several steps down
 *     that brought nothing, the greatest of their loads; infinite: quality never missed it
 */
record LoadMemory(Map<String, ClassRate> rates, double carriedPerSecond, double missedOpening, double missedPerSecond) {
    private static final double NOT_MISSED = -1;

    static final LoadMemory NONE =
            new LoadMemory(Map.of(), Double.POSITIVE_INFINITY, NOT_MISSED, Double.POSITIVE_INFINITY);

    private static final double MILLIS_PER_SECOND = 1000;

    /** Relative difference below which two loads differ only by rounding. */
    private static final double ROUNDING = 1e-9;

    /** A copy with the rates of a batch. */
    LoadMemory with(QualityWindow batch, Policy policy) {
        double seconds = (batch.endMillis() - batch.startMillis()) / MILLIS_PER_SECOND;
        if (!(seconds > 0) || batch.rejected() > batch.offered()) {
            return this;
        }
        Map<String, ClassRate> newest = new HashMap<>(rates);
        newest.keySet().removeIf(name -> policy.classPolicy(name).isEmpty());
        newest.put(
                batch.queryClass(),
                new ClassRate(batch.offered() / seconds, (batch.offered() - batch.rejected()) / seconds));
        return new LoadMemory(newest, carriedPerSecond, missedOpening, missedPerSecond);
    }

    /** Returns a copy after a step at whose load quality kept its objective. */
    LoadMemory carried(double perSecond) {
        return new LoadMemory(rates, Math.max(carriedPerSecond, perSecond), missedOpening, missedPerSecond);
    }

    /** Returns a copy after a step down from this opening. */
    LoadMemory missedAt(double opening) {
        return new LoadMemory(rates, carriedPerSecond, opening, missedPerSecond);
    }

    /**
     * Returns a copy in which the load is known at which the last step found that quality misses its objective.
     *
     * @param stepsDown number of steps down since quality last rose
     */
    LoadMemory settled(ClassFractions fractions, int stepsDown) {
        if (missedOpening < 0) {
            return this;
        }
        double missed = fractions.admitted() + (missedOpening - fractions.opening()) * fractions.room();
        return new LoadMemory(
                rates,
                missed <= carriedPerSecond * (1 + ROUNDING)
                        ? Math.min(carriedPerSecond, fractions.admitted())
                        : carriedPerSecond,
                NOT_MISSED,
                stepsDown > 1 ? Math.max(missed, missedPerSecond) : missed);
    }

    /** Returns how many queries of a class request admission, a second; 0 if not known. */
    double offeredPerSecond(String queryClass) {
        ClassRate rate = rates.get(queryClass);
        return rate == null ? 0 : rate.offeredPerSecond();
    }
}
