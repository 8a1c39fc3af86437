/**
 * Writes files for operators: {@link io.kipimo.docker.Dashboards} and {@link
 * io.kipimo.docker.JobManifests}.
 */
package io.kipimo.docker;
