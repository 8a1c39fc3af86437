package io.kipimo.simulator.suite;

import io.kipimo.simulator.control.ReplicationPlane;
import io.kipimo.simulator.scenario.SimulationResult;
import io.kipimo.simulator.scenario.SimulationResult.ClassSlot;
import io.kipimo.simulator.scenario.SimulationResult.ReplicationTotal;
import io.kipimo.simulator.scenario.SimulationResult.Slot;
import java.util.Arrays;
import java.util.List;
import java.util.function.ToDoubleFunction;
import java.util.function.ToLongFunction;

/**
 * Figures of one run of a case. The high class is the scenario's first.
 *
 * @param returnSeconds time from the change until the high class has {@code objective - 0.005} in the mean of the next
 *     30 s; infinite: never
 * @param openSeconds time from the end of the fault until 95 % of the lower classes' queries are admitted in the next
 *     10 s; for replication: until there are no more copies than before the change. Infinite: never; not a number:
 *     nothing ends
 * @param needless share of the lower classes' queries that were refused although the service could carry them; for
 *     replication: mean number of copies of a request that did not help, from the change on
 * @param quality mean quality of the high class from the change on, without its first minute
 * @param worst least quality of the high class in any minute of that time
 * @param apart greatest difference between the admitted shares of lower classes in that time
 * @param vain decisions that found that shedding, or copies, do not help
 * @param turns changes of direction of the admitted fraction, or of the copies, by 0.1 or more, per 10 minutes from the
 *     change on
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
     * @param result result whose slots are a second each
     */
    public static SuiteFigures of(SuiteCase suiteCase, double objective, SimulationResult result) {
        List<Slot> slots = result.slots();
        if (result.replication().isPresent()) {
            ReplicationTotal copies = result.replication().get();
            return of(suiteCase, objective, slots, copies(slots, copies), copies.vain());
        }
        int changed = (int) suiteCase.changedAtSeconds();
        int settled = Math.min(slots.size(), changed + MINUTE);
        List<Slot> after = slots.subList(settled, slots.size());
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
                worst(after),
                apart(after),
                result.control().orElseThrow().vain(),
                turns(slots.stream().mapToDouble(Slot::fraction).toArray(), changed));
    }

    /**
     * Judges a run of replication. Copies that were there before the change do not count as a reaction to it.
     *
     * @param acted number of further copies of a request, by second
     */
    private static SuiteFigures of(SuiteCase suiteCase, double objective, List<Slot> slots, double[] acted, long vain) {
        int changed = (int) suiteCase.changedAtSeconds();
        int restored = (int) suiteCase.restoredAtSeconds();
        List<Slot> after = slots.subList(changed + MINUTE, slots.size());
        double before = acted[changed - 1];
        double open = Double.POSITIVE_INFINITY;
        double needless = 0;
        for (int at = acted.length - 1; at >= changed; at--) {
            double vainly = Math.max(0, acted[at] - before - suiteCase.carried().at(at));
            needless += vainly / (acted.length - changed);
            open = at >= restored && needless == 0 ? at - restored : open;
        }
        return new SuiteFigures(
                first(slots, changed, MEAN_SECONDS, next -> quality(next) - (objective - TOLERANCE)),
                open,
                needless,
                quality(after),
                worst(after),
                0,
                vain,
                turns(acted, changed));
    }

    private static double[] copies(List<Slot> slots, ReplicationTotal replication) {
        double[] copies = new double[slots.size()];
        for (ReplicationPlane.FactorChange change : replication.changes()) {
            int more = change.factors().stream().mapToInt(f -> f - 1).sum();
            Arrays.fill(copies, (int) change.seconds(), copies.length, more);
        }
        return copies;
    }

    private static double worst(List<Slot> slots) {
        double worst = 1;
        for (int from = 0; from + MINUTE <= slots.size(); from++) {
            worst = Math.min(worst, quality(slots.subList(from, from + MINUTE)));
        }
        return worst;
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

    /** Returns the changes of direction per ten minutes, from {@code changed} on. */
    private static double turns(double[] acted, int changed) {
        int turns = 0;
        int direction = 0;
        double extreme = acted[changed];
        for (int at = changed; at < acted.length; at++) {
            double move = acted[at] - extreme;
            if (direction * move > 0) {
                extreme = acted[at];
            } else if (Math.abs(move) >= TURN) {
                turns += direction == 0 ? 0 : 1;
                direction = move > 0 ? 1 : -1;
                extreme = acted[at];
            }
        }
        return turns * 10.0 * MINUTE / (acted.length - changed);
    }
}
