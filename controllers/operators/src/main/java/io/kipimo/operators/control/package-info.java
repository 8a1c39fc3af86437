/**
 * Common parts of all controllers on Flink: steps, heartbeats, epochs and the actuation lock of a service. Read
 * {@link io.kipimo.operators.control.ControlFunction} first.
 */
package io.kipimo.operators.control;
