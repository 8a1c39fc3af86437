/**
 * Runs of scenarios from files: they are read from YAML with all problems reported together, run, and summed up. Read
 * {@link io.kipimo.simulator.scenario.Simulation} first.
 */
package io.kipimo.simulator.scenario;
