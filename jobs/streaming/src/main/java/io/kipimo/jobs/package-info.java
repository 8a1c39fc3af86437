/**
 * The jobs: topologies and their typed options. Read {@link io.kipimo.jobs.quality.QualityJob} first;
 * {@link io.kipimo.jobs.submission} starts them.
 */
package io.kipimo.jobs;
