/**
 * The admission job: its topology on one page and its options. Read {@link io.kipimo.jobs.admission.AdmissionJob}
 * first.
 */
package io.kipimo.jobs.admission;
