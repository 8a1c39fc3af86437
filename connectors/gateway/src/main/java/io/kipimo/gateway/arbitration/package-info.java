/**
 * The driver of {@link io.kipimo.core.arbitration.Arbiter} for many event loops. Read {@link
 * io.kipimo.gateway.arbitration.SharedArbiter}.
 */
package io.kipimo.gateway.arbitration;
