package io.kipimo.core.admission;

import io.kipimo.schemas.policy.Policy;
import io.kipimo.schemas.quality.QualityWindow;
import java.util.HashMap;
import java.util.Map;

/**
 * What each class of the policy offers and gets admitted, from its newest batch. The law steers the load, not the
 * fraction: the same fraction of fewer queries is less load.
 *
 * @param rates by class of the policy
 * @param carriedPerSecond greatest load of all classes at which quality was shown to keep its objective since it was
 *     last shown to miss it, queries a second; infinite: it was never shown to miss it
 */
record LoadMemory(Map<String, ClassRate> rates, double carriedPerSecond) {
    static final LoadMemory NONE = new LoadMemory(Map.of(), Double.POSITIVE_INFINITY);

    private static final double MILLIS_PER_SECOND = 1000;

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
        return new LoadMemory(newest, carriedPerSecond);
    }

    /** After a step at whose load quality kept its objective. */
    LoadMemory carried(double perSecond) {
        return new LoadMemory(rates, Math.max(carriedPerSecond, perSecond));
    }

    /** After a step that shed to this load. */
    LoadMemory shedTo(double perSecond) {
        return new LoadMemory(rates, Math.min(carriedPerSecond, perSecond));
    }

    /** Queries of a class a second that request admission; 0 if not known. */
    double offeredPerSecond(String queryClass) {
        ClassRate rate = rates.get(queryClass);
        return rate == null ? 0 : rate.offeredPerSecond();
    }
}
