/**
 * Whole pipelines against a real broker and a Flink cluster of separate processes, checked against
 * an oracle, while processes are killed; and the layers of all modules. Read {@link
 * io.kipimo.endtoend.FlinkClusterITCase} first.
 */
package io.kipimo.endtoend;
