/**
 * A run from a file: read from YAML with all problems reported together, run, and summed up. Read
 * {@link io.kipimo.simulator.scenario.Simulation} first.
 */
package io.kipimo.simulator.scenario;
