/**
 * Measures a service by its OpenTelemetry spans: a receiver of OTLP/HTTP that turns each trace into the events of its
 * queries.
 *
 * <p>Read {@link io.kipimo.gateway.otlp.TraceEvents} first: it is the decision, a pure function.
 * {@link io.kipimo.gateway.otlp.HeldTraces} waits until a trace is complete, and
 * {@link io.kipimo.gateway.otlp.OtlpReceiver} serves.
 */
package io.kipimo.gateway.otlp;
