package io.kipimo.simulator.workload;

/** What one priority class asks. */
public record ClassLoad(String name, Arrivals arrivals, QueryMix mix) {}
