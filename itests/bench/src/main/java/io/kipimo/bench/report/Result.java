package io.kipimo.bench.report;

import java.util.List;

/**
 * Result of a benchmark.
 *
 * @param notes context that the reader of the figures needs: workload, biases, failures of a side
 */
public record Result(List<Table> tables, List<String> notes) {}
