/**
 * Measures the benefit of ordered duplicates, compared with the prediction of Zoolander's model. Read
 * {@link io.kipimo.bench.duplicates.DuplicatesBenchmark} first.
 */
package io.kipimo.bench.duplicates;
