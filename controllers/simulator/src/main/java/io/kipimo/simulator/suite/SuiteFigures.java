package io.kipimo.simulator.suite;

import io.kipimo.simulator.scenario.SimulationResult;
import io.kipimo.simulator.scenario.SimulationResult.ClassSlot;
import io.kipimo.simulator.scenario.SimulationResult.Slot;
import java.util.List;
import java.util.function.ToDoubleFunction;
import java.util.function.ToLongFunction;

/**
 * How one run of a case went. The highest class is the scenario's first.
 *
 * @param returnSeconds from the change until the high class has {@code objective - 0.005} in the mean of the next 30 s;
 *     infinite: never
 * @param openSeconds from the end of the fault until 95 % of the lower classes' queries are admitted in the next 10 s;
 *     infinite: never; not a number: nothing ends
 * @param needless share of the lower classes' queries that were refused although the service could carry them
 * @param quality mean of the high class from the change on, without its first minute
 * @param worst least quality of the high class in any minute from then on
 * @param apart greatest difference between the admitted shares of lower classes, from then on
 * @param vain decisions that found that shedding does not help
 * @param turns changes of direction of the admitted fraction by 0.1 or more, per 10 minutes from the change on
 */
public record SuiteFigures(
        double returnSeconds,
        double openSeconds,
        double needless,
        double quality,
        double worst,
        double apart,
        double vain,
        double turns) {
    private static final int MEAN_SECONDS = 30;
    private static final int OPEN_SECONDS = 10;
    private static final int MINUTE = 60;
    private static final double TOLERANCE = 0.005;
    private static final double OPEN = 0.95;
    private static final double TURN = 0.1;

    /**
     * Judges a run.
     *
     * @param result with slots of a second each
     */
    public static SuiteFigures of(SuiteCase suiteCase, double objective, SimulationResult result) {
        List<Slot> slots = result.slots();
        int changed = (int) suiteCase.changedAtSeconds();
        int settled = Math.min(slots.size(), changed + MINUTE);
        List<Slot> after = slots.subList(settled, slots.size());
        double worst = 1;
        for (int from = 0; from + MINUTE <= after.size(); from++) {
            worst = Math.min(worst, quality(after.subList(from, from + MINUTE)));
        }
        return new SuiteFigures(
                first(slots, changed, MEAN_SECONDS, next -> quality(next) - (objective - TOLERANCE)),
                Double.isFinite(suiteCase.restoredAtSeconds())
                        ? first(
                                slots,
                                (int) suiteCase.restoredAtSeconds(),
                                OPEN_SECONDS,
                                next -> admittedShare(next) - OPEN)
                        : Double.NaN,
                needless(suiteCase, slots),
                quality(after),
                worst,
                apart(after),
                result.control().orElseThrow().vain(),
                turns(slots.subList(changed, slots.size())) * 10.0 * MINUTE / (slots.size() - changed));
    }

    private static double first(List<Slot> slots, int from, int length, ToDoubleFunction<List<Slot>> margin) {
        for (int at = from; at + length <= slots.size(); at++) {
            if (margin.applyAsDouble(slots.subList(at, at + length)) >= 0) {
                return at - from;
            }
        }
        return Double.POSITIVE_INFINITY;
    }

    private static double quality(List<Slot> slots) {
        double sum = 0;
        long answered = 0;
        for (Slot slot : slots) {
            ClassSlot high = slot.classes().get(0);
            sum += high.quality() * high.answered();
            answered += high.answered();
        }
        return answered == 0 ? 1 : sum / answered;
    }

    private static long lower(List<Slot> slots, ToLongFunction<ClassSlot> count) {
        return slots.stream()
                .flatMap(s -> s.classes().stream().skip(1))
                .mapToLong(count)
                .sum();
    }

    private static double admittedShare(List<Slot> slots) {
        long offered = lower(slots, ClassSlot::offered);
        return offered == 0 ? 1 : lower(slots, ClassSlot::admitted) / (double) offered;
    }

    private static double needless(SuiteCase suiteCase, List<Slot> slots) {
        double refused = 0;
        for (Slot slot : slots) {
            double rest = suiteCase.carried().at(slot.startSeconds())
                    - slot.classes().get(0).offered();
            long offered = lower(List.of(slot), ClassSlot::offered);
            double needed = Math.max(0, offered - Math.max(0, rest));
            refused += Math.max(0, offered - lower(List.of(slot), ClassSlot::admitted) - needed);
        }
        return refused / Math.max(1, lower(slots, ClassSlot::offered));
    }

    private static double apart(List<Slot> slots) {
        double least = 1;
        double most = 0;
        for (int c = 1; c < slots.get(0).classes().size(); c++) {
            long offered = 0;
            long admitted = 0;
            for (Slot slot : slots) {
                offered += slot.classes().get(c).offered();
                admitted += slot.classes().get(c).admitted();
            }
            double share = offered == 0 ? 1 : (double) admitted / offered;
            least = Math.min(least, share);
            most = Math.max(most, share);
        }
        return Math.max(0, most - least);
    }

    private static int turns(List<Slot> slots) {
        int turns = 0;
        int direction = 0;
        double extreme = slots.get(0).fraction();
        for (Slot slot : slots) {
            double move = slot.fraction() - extreme;
            if (direction * move > 0) {
                extreme = slot.fraction();
            } else if (Math.abs(move) >= TURN) {
                turns += direction == 0 ? 0 : 1;
                direction = move > 0 ? 1 : -1;
                extreme = slot.fraction();
            }
        }
        return turns;
    }
}
