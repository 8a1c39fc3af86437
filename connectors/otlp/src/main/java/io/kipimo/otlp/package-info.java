/**
 * Measures a service by its OpenTelemetry spans: a receiver of OTLP/HTTP that turns each trace into the events of its
 * queries.
 *
 * <p>Read {@link io.kipimo.otlp.TraceEvents} first: it is the decision, a pure function.
 * {@link io.kipimo.otlp.HeldTraces} waits until a trace is complete, and {@link io.kipimo.otlp.OtlpReceiver} serves.
 */
package io.kipimo.otlp;
