/**
 * Admission and sampling decisions on Flink: control batches and policies in, decisions out,
 * renewed every period. Read {@link io.kipimo.operators.admission.AdmissionFunction} first.
 */
package io.kipimo.operators.admission;
