/**
 * The load that the outside world puts on the service: arrivals of each priority class, the mix of query kinds, and how
 * much work a request is (Ubora, sec. 7.3 and 8). Read {@link io.kipimo.simulator.workload.ClassArrivals} first.
 */
package io.kipimo.simulator.workload;
