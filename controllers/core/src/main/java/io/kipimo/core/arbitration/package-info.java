/**
 * Sends copies of requests: the arbiter in front of a tier chooses servers by tokens (TAD) or in turns (sPARE, sec.
 * IV). The state machines have no clock, thread or network, so the simulator and the gateway drive the same ones.
 *
 * <p>Read {@link io.kipimo.core.arbitration.Arbiter} first; {@link io.kipimo.core.arbitration.TokenPool} is TAD's
 * choice of servers.
 */
package io.kipimo.core.arbitration;
