/**
 * A service of tiers in this process, for trying replication on: arbiters that copy requests as
 * {@link io.kipimo.sdk.ReplicationClient} says, and servers that take their time and report it.
 * Read {@link io.kipimo.harness.tiers.TieredService} first.
 */
package io.kipimo.harness.tiers;
