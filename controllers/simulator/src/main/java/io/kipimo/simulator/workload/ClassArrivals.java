package io.kipimo.simulator.workload;

/** Queries of one priority class. */
public record ClassArrivals(String name, Arrivals arrivals, QueryKindMix mix) {}
