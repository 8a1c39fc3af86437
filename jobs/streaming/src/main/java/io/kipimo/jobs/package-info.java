/**
 * The jobs: topologies and their typed options. Read {@link io.kipimo.jobs.quality.QualityJob}
 * first.
 */
package io.kipimo.jobs;
