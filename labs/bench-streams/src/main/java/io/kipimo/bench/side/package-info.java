/**
 * One side of a comparison, in a JVM of its own: it waits to be asked over HTTP for one repetition after the other, so
 * that sides alternate and all are warm. Read {@link io.kipimo.bench.side.BenchmarkSubject} first.
 */
package io.kipimo.bench.side;
