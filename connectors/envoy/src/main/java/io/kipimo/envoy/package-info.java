/**
 * Decisions for Envoy, as runtime values over RTDS: fractions of requests that are shed by class,
 * and copies that are mirrored by tier.
 *
 * <p>Read {@link io.kipimo.envoy.EnvoyAdapter} first.
 */
package io.kipimo.envoy;
