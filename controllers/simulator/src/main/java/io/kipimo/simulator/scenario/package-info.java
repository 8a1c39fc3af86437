/**
 * A run as a file: read from YAML with all its problems at once, run, and summed up. Read {@link
 * io.kipimo.simulator.scenario.Simulation} first.
 */
package io.kipimo.simulator.scenario;
