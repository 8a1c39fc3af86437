/**
 * Measures a service by its OpenTelemetry spans. It has a receiver of OTLP/HTTP that turns each trace into the events
 * of its queries.
 *
 * <p>Read {@link io.kipimo.otlp.TraceEvents} first: this pure function decides the outcome of each call.
 * {@link io.kipimo.otlp.HeldTraces} waits until a trace is complete, and {@link io.kipimo.otlp.OtlpReceiver} serves.
 */
package io.kipimo.otlp;
