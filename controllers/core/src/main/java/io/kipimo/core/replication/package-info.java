/**
 * How many copies of a request each tier sends out: sPARE's factors, their feasible set and their
 * search (sPARE, sec. III and V), run for ever on live traffic.
 *
 * <p>Read {@link io.kipimo.core.replication.Replicator} first: the controller; {@link
 * io.kipimo.core.replication.ReplicationLoop} ties it to policies, windows and messages. {@link
 * io.kipimo.core.replication.FactorSearch} is the paper's algorithm, {@link
 * io.kipimo.core.replication.FeasibleSet} where it may go.
 */
package io.kipimo.core.replication;
