/**
 * {@code kipimo bench}: measures Kipimo's speed on this machine, compared with peers. Read
 * {@link io.kipimo.bench.BenchCommand} first.
 */
package io.kipimo.bench;
