package io.kipimo.bench.report;

import io.kipimo.bench.side.SubjectRun;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;

/** What the repetitions of one side took; those that warm up are not among them. */
public final class Repetitions {
    private final List<SubjectRun> runs = new ArrayList<>();

    public void add(SubjectRun run) {
        runs.add(run);
    }

    /** Of one repetition. */
    public long events() {
        return runs.get(0).events();
    }

    /** The greatest: figures are rates. */
    public double best(ToDoubleFunction<SubjectRun> figure) {
        return runs.stream().mapToDouble(figure).max().orElseThrow();
    }

    public double median(ToDoubleFunction<SubjectRun> figure) {
        double[] sorted = runs.stream().mapToDouble(figure).sorted().toArray();
        return (sorted[(sorted.length - 1) / 2] + sorted[sorted.length / 2]) / 2;
    }
}
