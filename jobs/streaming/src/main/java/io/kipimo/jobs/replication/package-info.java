/**
 * The replication job, which decides how many copies of a request each tier sends. Read
 * {@link io.kipimo.jobs.replication.ReplicationJob} first.
 */
package io.kipimo.jobs.replication;
