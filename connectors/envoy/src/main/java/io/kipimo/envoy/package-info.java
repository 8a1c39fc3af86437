/**
 * Applies decisions in Envoy as runtime values over RTDS: the share of requests that is shed by class, and the copies
 * that are mirrored by tier.
 *
 * <p>Read {@link io.kipimo.envoy.EnvoyAdapter} first.
 */
package io.kipimo.envoy;
