/**
 * Decisions on the number of copies of a request that each tier sends (sPARE, sec. III and V), in the form that
 * arbiters receive. An arbiter passes a tier's requests to the tier's servers. Read
 * {@link io.kipimo.schemas.replication.ReplicationDecision} first.
 */
package io.kipimo.schemas.replication;
