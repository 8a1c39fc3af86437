package io.kipimo.simulator.workload;

/** What one priority class asks. */
public record ClassArrivals(String name, Arrivals arrivals, QueryKindMix mix) {}
