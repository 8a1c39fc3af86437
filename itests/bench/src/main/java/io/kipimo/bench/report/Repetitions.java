package io.kipimo.bench.report;

import io.kipimo.bench.side.SideRun;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;

/** What the repetitions of one side took; those that warm up are not among them. */
public final class Repetitions {
    private final List<SideRun> runs = new ArrayList<>();

    public void add(SideRun run) {
        runs.add(run);
    }

    /** Of one repetition. */
    public long events() {
        return runs.get(0).events();
    }

    /** The greatest: figures are rates. */
    public double best(ToDoubleFunction<SideRun> figure) {
        return runs.stream().mapToDouble(figure).max().orElseThrow();
    }

    public double median(ToDoubleFunction<SideRun> figure) {
        double[] sorted = runs.stream().mapToDouble(figure).sorted().toArray();
        return (sorted[(sorted.length - 1) / 2] + sorted[sorted.length / 2]) / 2;
    }
}
