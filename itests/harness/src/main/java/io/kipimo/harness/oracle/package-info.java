/**
 * Computes the expected output of the quality job for generated traffic. The queries have every fault that a log can
 * have. A plain, slow computation derives every expected row (Ubora, sec. 3); it shares only the records and their
 * codecs with the job. Every outcome is independent of the order in which the partitions are read. Read
 * {@link io.kipimo.harness.oracle.QualityOracle} first.
 */
package io.kipimo.harness.oracle;
