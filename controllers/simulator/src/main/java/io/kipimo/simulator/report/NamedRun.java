package io.kipimo.simulator.report;

import io.kipimo.simulator.scenario.SimulationResult;

/** One of several runs that are reported together, such as those of different controllers. */
public record NamedRun(String name, SimulationResult result) {}
