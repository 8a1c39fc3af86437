/**
 * Admission and sampling decisions on Flink. Input are control batches and policies, output are decisions, renewed
 * every period. Read {@link io.kipimo.operators.admission.AdmissionFunction} first.
 */
package io.kipimo.operators.admission;
