/**
 * {@code kipimo bench}: how fast Kipimo is here, and beside what. Read {@link
 * io.kipimo.bench.BenchCommand} first.
 */
package io.kipimo.bench;
