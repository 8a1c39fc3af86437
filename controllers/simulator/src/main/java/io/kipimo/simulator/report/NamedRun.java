package io.kipimo.simulator.report;

import io.kipimo.simulator.scenario.SimulationResult;

/** A run with its name, for a report of several, such as those of different controllers. */
public record NamedRun(String name, SimulationResult result) {}
