/**
 * The driver of {@link io.kipimo.core.arbitration.Arbiter} for many event loops. Read {@link
 * io.kipimo.gateway.arbitration.Arbitration}.
 */
package io.kipimo.gateway.arbitration;
