/**
 * Runs {@link io.kipimo.core.arbitration.Arbiter} for several event loops. Read
 * {@link io.kipimo.gateway.arbitration.SharedArbiter}.
 */
package io.kipimo.gateway.arbitration;
