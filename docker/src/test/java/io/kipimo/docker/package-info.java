/** Writes files for operators: {@link io.kipimo.docker.Dashboards}. */
package io.kipimo.docker;
