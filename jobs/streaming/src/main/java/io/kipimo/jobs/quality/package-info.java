/** The quality job: its topology on one page and its options. Read {@link io.kipimo.jobs.quality.QualityJob} first. */
package io.kipimo.jobs.quality;
