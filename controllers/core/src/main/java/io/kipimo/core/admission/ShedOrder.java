package io.kipimo.core.admission;

import io.kipimo.schemas.policy.ClassPolicy;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;

/**
 * Allots one change of the load to the lower classes. Shedding begins with the lowest priority, opening with the
 * highest. Classes of one priority share alike (max-min): shedding takes from the classes with the greatest fraction,
 * opening gives to the classes with the least. The next priority moves only once all classes of the present one are at
 * their limits.
 */
final class ShedOrder {
    /** A fraction this close to a limit counts as at the limit. */
    static final double ROUNDING = 1e-9;

    /**
     * Number of times that the search for the common level halves its interval. The last interval is far below
     * {@link #ROUNDING}.
     */
    private static final int HALVINGS = 50;

    private ShedOrder() {}

    /**
     * The fractions after a change of the load.
     *
     * @param classes classes that the controller moves, in any order
     * @param inForce fraction by class name
     * @param offered load of a class at a fraction of 1
     * @param amount change of the load; above 0: admit more, below 0: shed
     */
    static Map<String, Double> allot(
            List<ClassPolicy> classes,
            Map<String, Double> inForce,
            ToDoubleFunction<ClassPolicy> offered,
            double amount) {
        Map<String, Double> allotted = new HashMap<>(inForce);
        boolean opening = amount > 0;
        NavigableMap<Integer, List<ClassPolicy>> byPriority = classes.stream()
                .collect(Collectors.groupingBy(ClassPolicy::priority, TreeMap::new, Collectors.toList()));
        double left = Math.abs(amount);
        for (List<ClassPolicy> alike : (opening ? byPriority : byPriority.descendingMap()).values()) {
            if (left <= ROUNDING) {
                break;
            }
            double done = 0;
            boolean isAtLimit = true;
            double level = level(alike, inForce, offered, opening, left);
            for (ClassPolicy c : alike) {
                double before = inForce.get(c.name());
                double after = at(level, c, before, opening);
                double limit = opening ? c.ceiling() : c.floor();
                allotted.put(c.name(), Math.abs(after - limit) <= ROUNDING ? limit : after);
                done += Math.abs(after - before) * offered.applyAsDouble(c);
                isAtLimit &= opening ? after >= limit - ROUNDING : after <= limit + ROUNDING;
            }
            left -= done;
            if (!isAtLimit) {
                break;
            }
        }
        return allotted;
    }

    /** Returns the common fraction up to which the classes of one priority rise, or down to which they fall. */
    private static double level(
            List<ClassPolicy> alike,
            Map<String, Double> inForce,
            ToDoubleFunction<ClassPolicy> offered,
            boolean opening,
            double amount) {
        if (alike.size() == 1) {
            ClassPolicy c = alike.get(0);
            return inForce.get(c.name()) + (opening ? amount : -amount) / offered.applyAsDouble(c);
        }
        double low = 0;
        double high = 1;
        for (int i = 0; i < HALVINGS; i++) {
            double middle = (low + high) / 2;
            double moved = alike.stream()
                    .mapToDouble(c -> Math.abs(at(middle, c, inForce.get(c.name()), opening) - inForce.get(c.name()))
                            * offered.applyAsDouble(c))
                    .sum();
            if (moved > amount == opening) {
                high = middle;
            } else {
                low = middle;
            }
        }
        return opening ? high : low;
    }

    private static double at(double level, ClassPolicy c, double fraction, boolean opening) {
        return opening
                ? Math.max(fraction, Math.min(level, c.ceiling()))
                : Math.min(fraction, Math.max(level, c.floor()));
    }
}
