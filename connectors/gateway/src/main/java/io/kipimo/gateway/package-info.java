/**
 * A reverse proxy for HTTP that carries out what the controllers decide and, without any change to
 * the service, records what came too late for an answer.
 *
 * <p>Read {@link io.kipimo.gateway.Gateway} first. {@link io.kipimo.gateway.proxy} is the way of a
 * request, {@link io.kipimo.gateway.record} what is kept of sampled ones.
 */
package io.kipimo.gateway;
