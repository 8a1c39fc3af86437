package io.kipimo.bench.quality;

import io.kipimo.bench.report.Repetitions;
import io.kipimo.bench.side.SubjectRun;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * The work of a side of {@link JoinCostBenchmark}, as the side saw it. Costs of an event are compared only if all sides
 * did the same work. A subject of another tree may not know a setting, and would show the cost of other work.
 *
 * @param components most components of an answer; null: the side does not say
 * @param items most items of a result; null: the side does not say
 */
record WorkShape(Double components, Double items, long events) {
    private static WorkShape of(SubjectRun run) {
        return new WorkShape(
                run.details().get(JoinCostSubject.COMPONENTS), run.details().get(JoinCostSubject.ITEMS), run.events());
    }

    /**
     * Checks that every repetition of every side did the work of its row.
     *
     * @param components number that the row states
     * @param items number that the row states
     * @throws IllegalStateException if a side worked on something else, does not say on what, or on another number of
     *     events
     */
    static void requireSame(int components, int items, Map<String, Repetitions<SubjectRun>> sides) {
        Set<Long> events = new HashSet<>();
        sides.forEach((side, runs) -> runs.all().forEach(run -> {
            WorkShape shape = of(run);
            events.add(shape.events);
            if (!shape.equals(new WorkShape((double) components, (double) items, shape.events))) {
                throw new IllegalStateException("side '%s' ran %s; allowed: %d components and %d items"
                        .formatted(side, shape, components, items));
            }
        }));
        if (events.size() != 1) {
            throw new IllegalStateException("sides ran %s events; allowed: equally many".formatted(events));
        }
    }

    @Override
    public String toString() {
        return components == null || items == null
                ? "an unknown number of components and items"
                : "%.0f components and %.0f items".formatted(components, items);
    }
}
