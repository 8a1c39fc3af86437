/**
 * Controls how many copies of a request each tier sends: sPARE's factors, their feasible set and their search (sPARE,
 * sec. III and V), in continuous operation on live traffic.
 *
 * <p>Read {@link io.kipimo.core.replication.Replicator}, the controller, first;
 * {@link io.kipimo.core.replication.ReplicationLoop} connects it to policies, windows and messages.
 * {@link io.kipimo.core.replication.FactorSearch} is the paper's algorithm, and
 * {@link io.kipimo.core.replication.FeasibleSet} is the set that it searches.
 * {@link io.kipimo.core.replication.Zoolander} predicts the share of requests answered in time with duplicates
 * (Zoolander, sec. 4.3). {@link io.kipimo.core.replication.Plan} finds the cheapest mix of replicas, which share the
 * requests, and duplicates, which repeat them.
 */
package io.kipimo.core.replication;
