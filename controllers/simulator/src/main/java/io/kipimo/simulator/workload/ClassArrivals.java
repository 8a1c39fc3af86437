package io.kipimo.simulator.workload;

/** Arrivals of the queries of one priority class, and the mix of their kinds. */
public record ClassArrivals(String name, Arrivals arrivals, QueryKindMix mix) {}
