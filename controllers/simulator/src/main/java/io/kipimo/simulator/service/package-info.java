/**
 * The simulated service: tiers of servers, queries that fan out over partitions, copies, deadlines, and the items of
 * answers (Ubora, sec. 3 and 7.3; sPARE, sec. III). Read {@link io.kipimo.simulator.service.SimulatedService} first.
 */
package io.kipimo.simulator.service;
