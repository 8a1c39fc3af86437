/**
 * Offline predictions of replication: Zoolander's service levels ({@code predict}, {@code plan}) and sPARE's collisions
 * ({@code collision}). Read {@link io.kipimo.cli.replication.PredictCommand} first.
 */
package io.kipimo.cli.replication;
