/**
 * Controls the admitted share of the lower classes so that the highest class keeps its answer quality (Ubora, sec. 8).
 * The control law is a velocity-form PID on measured answer quality, on time-outs, or on both in cascade; AIMD and no
 * control are the baselines. {@link io.kipimo.core.admission.HashAdmission} decides by a hash whether a query is
 * admitted. {@link io.kipimo.core.admission.CostOrder} admits by predicted cost: from the work of each decile of cost
 * it computes the share of the decile that is admitted.
 *
 * <p>Read {@link io.kipimo.core.admission.AdmissionLoop} first, which makes the whole decision for a service.
 */
package io.kipimo.core.admission;
