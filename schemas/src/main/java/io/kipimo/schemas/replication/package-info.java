/**
 * How many copies of a request each tier sends (sPARE, sec. III and V), in the form that arbiters receive. Read
 * {@link io.kipimo.schemas.replication.ReplicationDecision} first.
 */
package io.kipimo.schemas.replication;
