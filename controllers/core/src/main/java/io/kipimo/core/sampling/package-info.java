/**
 * Decides which queries are measured, without coordination: the decision depends on the query id alone, so all
 * components agree. (Ubora, sec. 5, spread this information by UDP.) The rule is OpenTelemetry's consistent probability
 * sampling. Read {@link io.kipimo.core.sampling.ConsistentSampling} first.
 */
package io.kipimo.core.sampling;
