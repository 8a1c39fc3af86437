/**
 * An HTTP reverse proxy that enforces the decisions of the controllers and, without any change to the service, records
 * results that came too late for an answer.
 *
 * <p>Read {@link io.kipimo.gateway.Gateway} first. {@link io.kipimo.gateway.proxy} handles a request,
 * {@link io.kipimo.gateway.record} records sampled queries.
 */
package io.kipimo.gateway;
