package io.kipimo.core.admission;

import io.kipimo.schemas.policy.ClassPolicy;
import io.kipimo.schemas.policy.Policy;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/**
 * The fractions that apply to a service's classes at one moment. The controller moves some of them: its value is the
 * opened part of the room between their floors and ceilings.
 *
 * @param inForce fraction by class name, 0..1; 1 for protected classes
 * @param nowMillis the moment, epoch milliseconds
 */
record ClassFractions(Policy policy, Map<String, Double> inForce, LoadMemory load, long nowMillis) {
    /** Load below which a class counts as without traffic, queries a second. */
    private static final double LEAST_OFFERED = 0.01;

    static ClassFractions of(AdmissionState state, Policy policy, long nowMillis) {
        boolean isStart = state.lastWindowMillis() == 0 || policy.admission().shadow();
        Map<String, Double> inForce = new HashMap<>();
        for (ClassPolicy c : policy.classes()) {
            InForce known = state.inForce().get(c.name());
            double fraction = known == null
                    ? InForce.unknown(c, isStart)
                    : known.at(nowMillis, c, policy.admission().decayMillis());
            inForce.put(c.name(), isProtected(policy, c) ? 1 : fraction);
        }
        return new ClassFractions(policy, inForce, state.load(), nowMillis);
    }

    double at(ClassPolicy c) {
        return inForce.get(c.name());
    }

    /** Whether a class is protected. Protected classes have the highest priority, and are always admitted in full. */
    boolean isProtected(ClassPolicy c) {
        return isProtected(policy, c);
    }

    private static boolean isProtected(Policy policy, ClassPolicy c) {
        return c.priority() == policy.highestClass().priority();
    }

    /** The classes that the controller moves: neither protected nor overridden. */
    private List<ClassPolicy> steered() {
        return policy.classes().stream()
                .filter(c -> !isProtected(c))
                .filter(c -> c.override().filter(o -> o.isInForce(nowMillis)).isEmpty())
                .toList();
    }

    /**
     * Returns the load that a class offers, in queries a second. If the load of no steered class is known, it is 0 for
     * a protected class and 1 for any other. A class without traffic hardly takes part in a step, and is opened with
     * the others.
     */
    private double offered(ClassPolicy c) {
        boolean isKnown = steered().stream().anyMatch(s -> load.offeredPerSecond(s.name()) > 0);
        return isKnown ? Math.max(LEAST_OFFERED, load.offeredPerSecond(c.name())) : isProtected(c) ? 0 : 1;
    }

    /** Load that the steered classes offer between their floors and ceilings. */
    double room() {
        return steered().stream()
                .mapToDouble(c -> (c.ceiling() - c.floor()) * offered(c))
                .sum();
    }

    /** Admitted load of all classes. */
    double admitted() {
        return policy.classes().stream().mapToDouble(c -> at(c) * offered(c)).sum();
    }

    /** Converts a load to a part of the room; 0 without room. */
    double ofRoom(double someLoad) {
        double room = room();
        return room > 0 ? someLoad / room : 0;
    }

    /** The opened part of the room, 0..1. */
    double opening() {
        return opening(this::at);
    }

    /** Returns the opened part of the room as it would be with every class at its safe fraction. */
    double safeOpening() {
        return opening(ClassPolicy::safeFraction);
    }

    private double opening(ToDoubleFunction<ClassPolicy> fraction) {
        double opened = 0;
        for (ClassPolicy c : steered()) {
            opened += Math.max(0, Math.min(c.ceiling(), fraction.applyAsDouble(c)) - c.floor()) * offered(c);
        }
        double room = room();
        if (room - opened <= ShedOrder.ROUNDING) {
            return 1;
        }
        return opened <= ShedOrder.ROUNDING ? 0 : opened / room;
    }

    /**
     * Returns the fractions by class name after the steered classes have shared a change of the load.
     *
     * @param amount change of their total load; below 0: to shed
     */
    Map<String, Double> allot(double amount) {
        return ShedOrder.allot(steered(), inForce, this::offered, amount);
    }
}
