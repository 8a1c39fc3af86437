/** Collects records into batches in front of sinks. */
package io.kipimo.operators.batch;
