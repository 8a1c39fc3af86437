/**
 * Controls how many copies of a request each tier sends: sPARE's factors, their feasible set and their search (sPARE,
 * sec. III and V), in continuous operation on live traffic.
 *
 * <p>Read {@link io.kipimo.core.replication.Replicator} first, the controller;
 * {@link io.kipimo.core.replication.ReplicationLoop} connects it to policies, windows and messages.
 * {@link io.kipimo.core.replication.FactorSearch} is the paper's algorithm,
 * {@link io.kipimo.core.replication.FeasibleSet} the set that it searches.
 */
package io.kipimo.core.replication;
