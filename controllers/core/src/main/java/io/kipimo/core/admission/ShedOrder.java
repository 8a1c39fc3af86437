package io.kipimo.core.admission;

import io.kipimo.schemas.policy.ClassPolicy;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Allots one budget to the lower classes. Shedding begins with the lowest priority, opening with the highest. A class
 * moves only once the class before it is at its limit, even if the slew limit allows that only after several steps.
 */
final class ShedOrder {
    /** A fraction this close to a limit counts as at the limit. */
    static final double ROUNDING = 1e-9;

    private ShedOrder() {}

    /**
     * The fractions after a change of the budget.
     *
     * @param classes classes that the controller moves, in any order
     * @param inForce fraction by class name
     * @param amount change of the sum of the fractions; above 0: admit more, below 0: shed
     */
    static Map<String, Double> allot(
            List<ClassPolicy> classes, Map<String, Double> inForce, double amount, double slewUp, double slewDown) {
        Map<String, Double> allotted = new LinkedHashMap<>(inForce);
        boolean opening = amount > 0;
        Comparator<ClassPolicy> highestFirst = Comparator.comparingInt(ClassPolicy::priority);
        List<ClassPolicy> order = classes.stream()
                .sorted(opening ? highestFirst : highestFirst.reversed())
                .toList();
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
