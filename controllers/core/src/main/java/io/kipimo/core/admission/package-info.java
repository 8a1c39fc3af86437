/**
 * How much of the lower classes is admitted, so that the highest class keeps its answer quality
 * (Ubora, sec. 8): a velocity-form PID on measured answer quality, on time-outs, or on both in
 * cascade, with AIMD and no control as baselines; and by which hash a query is admitted.
 *
 * <p>Read {@link io.kipimo.core.admission.AdmissionLoop} first: the whole decision for a service.
 */
package io.kipimo.core.admission;
