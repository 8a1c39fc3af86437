/**
 * What duplicates do to the share of requests answered in time: Zoolander's model (Zoolander, sec.
 * 4.3), and the cheapest mix of replicas, which share the requests, and duplicates, which repeat
 * them.
 *
 * <p>Read {@link io.kipimo.core.replication.duplicates.Zoolander} first.
 */
package io.kipimo.core.replication.duplicates;
