/**
 * Tests of whole pipelines with a real broker and a Flink cluster of separate processes, some of which are killed. An
 * oracle gives the expected output. Also tests the layers of all modules. Read
 * {@link io.kipimo.endtoend.QualityJobITCase} first.
 */
package io.kipimo.endtoend;
