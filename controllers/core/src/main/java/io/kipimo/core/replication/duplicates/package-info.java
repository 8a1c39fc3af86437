/**
 * Predicts the share of requests answered in time with duplicates (Zoolander, sec. 4.3), and finds the cheapest mix of
 * replicas, which share the requests, and duplicates, which repeat them.
 *
 * <p>Read {@link io.kipimo.core.replication.duplicates.Zoolander} first.
 */
package io.kipimo.core.replication.duplicates;
