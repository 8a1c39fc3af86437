/**
 * The processes of a benchmark: a broker, and each subject in a JVM of its own, all on this machine. Read
 * {@link io.kipimo.bench.machine.SubjectProcess} first.
 */
package io.kipimo.bench.machine;
