/**
 * A service of two tiers behind two gateways, for trying replication on: gateways copy requests as
 * decided and tell of their servers, and servers take their time. Read {@link
 * io.kipimo.examples.tiers.TieredService} first.
 */
package io.kipimo.examples.tiers;
