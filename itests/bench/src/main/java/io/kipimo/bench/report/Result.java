package io.kipimo.bench.report;

import java.util.List;

/**
 * What a benchmark found.
 *
 * @param notes what one must know to read the figures: workload, biases, failures of a side
 */
public record Result(List<Table> tables, List<String> notes) {}
