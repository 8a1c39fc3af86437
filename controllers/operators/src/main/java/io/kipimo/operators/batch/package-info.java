/** Batches in front of sinks. */
package io.kipimo.operators.batch;
