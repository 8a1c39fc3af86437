/**
 * Decides which queries are measured, without coordination: every component looks at the query id
 * alone and all decide the same (the role of the context that Ubora, sec. 5, spread by UDP). The
 * rule is OpenTelemetry's consistent probability sampling. Read {@link
 * io.kipimo.core.sampling.ConsistentSampling} first.
 */
package io.kipimo.core.sampling;
