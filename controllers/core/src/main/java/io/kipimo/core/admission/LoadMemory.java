package io.kipimo.core.admission;

import io.kipimo.schemas.policy.Policy;
import io.kipimo.schemas.quality.QualityWindow;
import java.util.HashMap;
import java.util.Map;

/**
 * What the service carries now, and what it could not carry. So an unloaded service opens fast, while one that was
 * overloaded approaches that load in small steps (like the slow-start threshold of TCP, RFC 5681). It compares rates,
 * not fractions: the same fraction of fewer queries is less load.
 *
 * @param rates by class of the policy
 * @param overloadPerSecond admitted queries of all classes a second when quality was last shown to be bad; 0: never, or
 *     the service has carried more since
 */
record LoadMemory(Map<String, ClassRate> rates, double overloadPerSecond) {
    static final LoadMemory NONE = new LoadMemory(Map.of(), 0);

    /** Up to this share of the load that was too much, opening is fast. */
    private static final double WELL_BELOW = 0.8;

    private static final double MILLIS_PER_SECOND = 1000;

    /** The same with the rates of a batch. */
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
        return new LoadMemory(newest, overloadPerSecond);
    }

    /** After a step that shed because quality is bad. */
    LoadMemory overloaded() {
        return new LoadMemory(rates, admittedPerSecond());
    }

    /** After a step in which quality was well above its objective. */
    LoadMemory carriedWell() {
        return admittedPerSecond() > overloadPerSecond ? new LoadMemory(rates, 0) : this;
    }

    /** Whether a class may open by one step and the load stays well below what was too much. */
    boolean hasRoom(double slewUp) {
        double mostOffered = rates.values().stream()
                .mapToDouble(ClassRate::offeredPerSecond)
                .max()
                .orElse(0);
        return overloadPerSecond == 0 || admittedPerSecond() + slewUp * mostOffered <= WELL_BELOW * overloadPerSecond;
    }

    private double admittedPerSecond() {
        return rates.values().stream().mapToDouble(ClassRate::admittedPerSecond).sum();
    }
}
