/**
 * Who gets a copy of a request: the arbiter in front of a tier, with tokens (TAD) or in turns
 * (sPARE, sec. IV). State machines without clock, thread or network: the simulator and the gateway
 * drive the same ones.
 *
 * <p>Read {@link io.kipimo.core.arbitration.Arbiter} first; {@link
 * io.kipimo.core.arbitration.TokenPool} is TAD's choice of servers.
 */
package io.kipimo.core.arbitration;
