/**
 * What ordered duplicates bring, beside what Zoolander's model says they would. Read {@link
 * io.kipimo.bench.duplicates.DuplicatesBenchmark} first.
 */
package io.kipimo.bench.duplicates;
