/**
 * One side of a comparison, in a JVM of its own. It is asked over HTTP for one repetition after the other, so that
 * sides can take turns and all are warm. Read {@link io.kipimo.bench.side.BenchmarkSubject} first.
 */
package io.kipimo.bench.side;
