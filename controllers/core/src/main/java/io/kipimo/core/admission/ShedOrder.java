package io.kipimo.core.admission;

import io.kipimo.schemas.policy.ClassPolicy;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * One budget over the lower classes: shed the lowest priority first, open the highest first. A
 * class is touched only when the one before it is at its limit, also where the slew limit keeps
 * that from happening in one step.
 */
final class ShedOrder {
    /** Closer to a limit than this is at the limit. */
    static final double ROUNDING = 1e-9;

    private ShedOrder() {}

    /**
     * The fractions after the budget moved.
     *
     * @param classes that are steered, in any order
     * @param inForce fraction by class name
     * @param amount above 0: to admit more, below: to shed; sum over the classes' fractions
     */
    static Map<String, Double> allot(
            List<ClassPolicy> classes,
            Map<String, Double> inForce,
            double amount,
            double slewUp,
            double slewDown) {
        Map<String, Double> allotted = new LinkedHashMap<>(inForce);
        boolean opening = amount > 0;
        Comparator<ClassPolicy> highestFirst = Comparator.comparingInt(ClassPolicy::priority);
        List<ClassPolicy> order =
                classes.stream().sorted(opening ? highestFirst : highestFirst.reversed()).toList();
        double left = Math.abs(amount);
        for (ClassPolicy c : order) {
            double fraction = inForce.get(c.name());
            double room = Math.max(0, opening ? c.ceiling() - fraction : fraction - c.floor());
            double move = Math.min(left, Math.min(room, opening ? slewUp : slewDown));
            left -= move;
            if (room - move > ROUNDING) {
                allotted.put(c.name(), opening ? fraction + move : fraction - move);
                break;
            }
            if (room > 0) {
                allotted.put(c.name(), opening ? c.ceiling() : c.floor());
            }
        }
        return allotted;
    }
}
