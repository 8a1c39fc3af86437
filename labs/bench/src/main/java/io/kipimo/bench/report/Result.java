package io.kipimo.bench.report;

import io.kipimo.simulator.report.LinePlot;
import java.util.List;

/**
 * Result of a benchmark.
 *
 * @param notes context that the reader of the figures needs: workload, biases, failures of a side
 * @param plots for a page; may be empty
 */
public record Result(List<Table> tables, List<String> notes, List<LinePlot> plots) {

    /** Result without plots. */
    public Result(List<Table> tables, List<String> notes) {
        this(tables, notes, List.of());
    }
}
