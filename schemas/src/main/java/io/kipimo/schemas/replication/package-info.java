/**
 * How many copies of a request each tier sends (sPARE, sec. III and V), as arbiters hear it. Read
 * {@link io.kipimo.schemas.replication.ReplicationDecision} first.
 */
package io.kipimo.schemas.replication;
